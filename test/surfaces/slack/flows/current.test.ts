import { describe, expect, it } from 'vitest';
import { enterAll } from '../../../../src/demo/playground/forms.ts';
import { deciderOf } from '../../../../src/gate/decisions.ts';
import { record, type Stage, stage, U_AGENT, until, whisper } from '../support.ts';

/* Forms that change a record start from its current values, and send the differences. */

const PERSON = { id: 'slack:x', name: 'x', role: 'approver', surface: 'slack', priority: 'person' } as const;
const ROUTE = 'MRID-00000000-0000-4000-8000-000000000001';

async function opened(command: string, line: string): Promise<Stage> {
  const s = await stage();
  await open(s, command, line);
  return s;
}

async function open(s: Stage, command: string, line: string): Promise<void> {
  await s.type(command, line);
  await until(() => form(s).includes('"input"'), 'the form');
}

const form = (s: Stage) => JSON.stringify(s.ws.openViews(U_AGENT).at(-1)?.definition ?? {});

/** Sends the open form with these values over those that it started from. */
async function submit(s: Stage, values: Record<string, string>) {
  const view = s.ws.openViews(U_AGENT).at(-1);
  if (view) enterAll(view, values);
  return s.ws.submit({ user: U_AGENT });
}

const sent = async (s: Stage, operation: string) =>
  (await s.gate.actions.list({})).find((action) => action.operation === operation)?.shown;

describe('data limits', () => {
  const limited = async () => {
    const s = await stage();
    const limits = { LimitValue: 900, NotifyValue: 100, ThrottleValue: 500, ThrottleSpeed: '1-mbps' };
    const input = { PhoneNumbers: [{ Number: '+12015550101' }], ...limits };
    const yes = { ask: async () => 'accept' as const, decider: deciderOf(PERSON, 'slack') };
    await s.gate.perform('numbers_data_usage_set', input, PERSON, yes);
    await open(s, '/numbers', 'data usage set 0101 form');
    return s;
  };

  it('keep what is not touched', async () => {
    const s = await limited();
    expect(form(s)).toContain('(201) 555-0101');
    expect(await submit(s, { LimitValue: '1000' })).toMatchObject({ outcome: 'acked', body: '' });
    await whisper(s.ws, U_AGENT, '900 MB → 1000 MB');
    const shownLimits = await sent(s, 'numbers_data_usage_set');
    expect(shownLimits).toMatchObject({ LimitValue: 1000, NotifyValue: 100, ThrottleValue: 500 });
  });
});

describe('a change', () => {
  it('sends only what differs', async () => {
    const s = await opened('/message', 'routes update "main sms" form');
    expect(form(s)).toContain('Main SMS route');
    expect(form(s)).not.toContain('"initial_value":"MRID');
    expect(await submit(s, { RouteName: 'Support' })).toMatchObject({ outcome: 'acked', body: '' });
    await whisper(s.ws, U_AGENT, '“Main SMS route” → “Support”');
    expect(await sent(s, 'message_routes_update')).toMatchObject({ MessageRouteId: ROUTE, RouteName: 'Support' });
  });

  it('starts from the record that is chosen in the form', async () => {
    const s = await opened('/packages', 'update form');
    const at = { user: U_AGENT, view: true as const, actionId: 'sb_pick', blockId: 'PackageId' };
    const { json } = await s.ws.suggest({ ...at, value: '' });
    const [first] = record(json).options as { value: string; text: { text: string } }[];
    expect(first?.value).toContain('PKID-');
    expect(first?.text.text).not.toContain('PKID-');
    await s.ws.click({ ...at, value: first?.value ?? '' });
    await until(() => form(s).includes('"initial_value"'), 'the values of the package');
    const answer = await submit(s, { 'PackageName~record': 'Renamed' });
    expect(answer).toMatchObject({ outcome: 'acked', body: '' });
    await whisper(s.ws, U_AGENT, '→ “Renamed”');
  });
});
