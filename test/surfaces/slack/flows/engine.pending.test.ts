import { beforeEach, describe, expect, it } from 'vitest';
import { enterAll } from '../../../../src/demo/playground/forms.ts';
import type { Message } from '../../../../src/demo/playground/types.ts';
import {
  ASSISTANT,
  C_APPROVALS,
  card,
  cards,
  type Stage,
  shown,
  stage,
  U_AGENT,
  U_VIEW,
  until,
  whisper,
  whispers,
} from '../support.ts';

/* The whole change is shown to its requester, who applies, edits or takes it back where it was asked. */

const NUMBER = '+12015550103';
const RENAME = 'update +12015550103 CnamFirstName=Bob';

let s: Stage;
beforeEach(async () => {
  s = await stage();
});

/** Enters a command, and returns its answer. */
async function answered(command: string, line: string, user: string = U_AGENT): Promise<Message> {
  const before = whispers(s.ws, user).length;
  await s.type(command, line, user);
  await s.settled();
  const found = whispers(s.ws, user)[before];
  if (!found) throw new Error('no answer');
  return found;
}

const press = async ({ ts }: Message, actionId: string, user: string = U_AGENT) => {
  const clicked = await s.ws.click({ user, messageTs: ts, actionId });
  await s.settled();
  return clicked;
};

/** The message as it is now. */
const now = ({ ts }: Message) => shown(whispers(s.ws, U_AGENT).find((message) => message.ts === ts));
const buttons = (message: Message | undefined) =>
  [...shown(message).matchAll(/"action_id":"(sb_\w+)"/g)].map(([, id]) => id);
const form = () => JSON.stringify(s.ws.openViews(U_AGENT).at(-1)?.definition ?? {});
const actions = async (operation: string) =>
  (await s.gate.actions.list({})).filter((action) => action.operation === operation);
const updates = () => s.requests('/numbers/update');

/** Sends the open form with these values over those that it started from. */
async function submit(values: Record<string, string>) {
  const view = s.ws.openViews(U_AGENT).at(-1);
  if (view) enterAll(view, values);
  const sent = await s.ws.submit({ user: U_AGENT });
  await s.settled();
  return sent;
}

describe('an own change of a command', () => {
  it('is shown whole to its writer alone, and Apply sends it and shows the outcome in its place', async () => {
    const asked = await answered('/numbers', RENAME);
    expect(buttons(asked)).toEqual(['sb_confirm', 'sb_edit', 'sb_withdraw']);
    expect(shown(asked)).toMatch(/Change \+12015550103.*Ava Stone · Acme Mobile.*“Bob”/s);
    expect(shown(asked)).toMatch(/Apply.*Edit.*Cancel/s);
    expect([...cards(s.ws), ...cards(s.ws, C_APPROVALS)]).toEqual([]);
    expect(await updates()).toEqual([]);
    await press(asked, 'sb_confirm');
    expect(await updates()).toHaveLength(1);
    expect(now(asked)).toMatch(/✅.*aller name.*“Bob”/s);
    expect(now(asked)).not.toContain('sb_confirm');
    expect(now(asked)).not.toContain('TSUID-');
  });

  it('opens its form filled in, and what is sent takes its place', async () => {
    const asked = await answered('/numbers', RENAME);
    await press(asked, 'sb_edit');
    expect(form()).toContain('"initial_value":"Bob"');
    expect(form()).toContain('Now: Sample Line 3');
    await submit({ CnamFirstName: 'Robert' });
    // The form cannot show the name that callers see now, so the change is shown again.
    expect(now(asked)).toMatch(/“Sample Line 3” → “Robert”/s);
    await press(asked, 'sb_confirm');
    expect(now(asked)).toMatch(/✅.*“Robert”/s);
    const [edited, old] = await actions('numbers_update');
    expect(edited).toMatchObject({ state: 'done', shown: { CnamFirstName: 'Robert' } });
    expect(old).toMatchObject({ state: 'declined', decidedVia: 'replaced' });
  });

  it('is refused to viewers, also by the value of its button', async () => {
    const asked = await answered('/numbers', RENAME);
    const [action] = await actions('numbers_update');
    const at = { user: U_VIEW, messageTs: asked.ts, value: action?.id ?? '' };
    const refused = await s.ws.click({ ...at, actionId: 'sb_confirm' }).catch((error: unknown) => String(error));
    await s.settled();
    expect(refused).toBeDefined();
    expect((await actions('numbers_update'))[0]?.state).toBe('pending');
    expect(await updates()).toEqual([]);
    expect(shown(await answered('/numbers', RENAME, U_VIEW))).toContain('operator');
  });

  it('of an assistant has a card in the channel for approvals, which any operator may apply', async () => {
    await s.gate.perform('numbers_update', { Number: NUMBER, CnamFirstName: 'Bob' }, ASSISTANT);
    const asked = await card(s.ws, C_APPROVALS);
    expect(shown(asked)).toMatch(/“Bob”.*Apply.*Decline/s);
    await press(asked, 'sb_confirm', U_VIEW);
    expect(await updates()).toEqual([]);
    expect(shown(await whisper(s.ws, U_VIEW, 'operator', C_APPROVALS))).toContain('operator');
    await press(asked, 'sb_confirm', U_AGENT);
    expect(await updates()).toHaveLength(1);
    expect(shown(await card(s.ws, C_APPROVALS))).toMatch(/✅ Done.*“Bob”/s);
  });
});

describe('a change for an approver', () => {
  const SIM = 'update +12015550103 MessageEnabled=false';

  it('is replaced by what its requester sends from the form, and the old card says so and asks nothing', async () => {
    await s.type('/numbers', SIM);
    const old = await card(s.ws);
    await press(old, 'sb_edit');
    await submit({ VoiceEnabled: 'false' });
    await until(
      () => shown(s.ws.messages('C000SUPPORT').find(({ ts }) => ts === old.ts)).includes('Replaced'),
      'the end',
    );
    const ended = s.ws.messages('C000SUPPORT').find(({ ts }) => ts === old.ts);
    expect(buttons(ended)).toEqual([]);
    expect(cards(s.ws)).toHaveLength(2);
  });

  it('is withdrawn by its requester, and its card has no further question', async () => {
    await s.type('/numbers', SIM);
    const old = await card(s.ws);
    await press(old, 'sb_withdraw');
    const ended = s.ws.messages('C000SUPPORT').find(({ ts }) => ts === old.ts);
    expect(shown(ended)).toContain('Withdrawn');
    expect(buttons(ended)).toEqual([]);
  });
});
