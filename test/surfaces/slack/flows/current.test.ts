import { describe, expect, it } from 'vitest';
import { enterAll } from '../../../../src/demo/playground/forms.ts';
import { type Stage, stage, U_AGENT, until, whisper } from '../support.ts';

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

describe('a change', () => {
  it('sends only what differs', async () => {
    const s = await opened('/message', 'routes update "main sms" form');
    expect(form(s)).toContain('Main SMS route');
    expect(form(s)).not.toContain('"initial_value":"MRID');
    expect(await submit(s, { RouteName: 'Support' })).toMatchObject({ outcome: 'acked', body: '' });
    await whisper(s.ws, U_AGENT, '“Main SMS route” → “Support”');
    expect(await sent(s, 'message_routes_update')).toMatchObject({ MessageRouteId: ROUTE, RouteName: 'Support' });
  });
});
