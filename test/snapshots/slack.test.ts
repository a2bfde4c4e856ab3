import { expect, it } from 'vitest';
import { outcomeOf } from '../../src/language/outcome.ts';
import type { Action } from '../../src/ledger/ledger.ts';
import { actionMessage } from '../../src/surfaces/slack/blocks/card.ts';
import { formView } from '../../src/surfaces/slack/blocks/form.ts';
import { resultMessage } from '../../src/surfaces/slack/blocks/result.ts';
import { createReworder } from '../../src/surfaces/slack/people/roles.ts';
import { tools } from '../../tools/index.ts';
import { ORDER_1 } from '../events/support.ts';
import { START } from '../support/clock.ts';
import { C_APPROVALS, type Stage, stage, U_AGENT, U_LEAD, until, whisper } from '../surfaces/slack/support.ts';
import { committed, type Files } from './files.ts';
import { messageText, viewText } from './slack-text.ts';

/*
 * Each kind of message and view that Slack shows, once, so that a review shows a change of its drawing. `npm run
 * snapshots` rewrites the files.
 */

const reworded = createReworder(tools);
const [A, B] = ['+12015550101', '+12015550103'];
const tool = tools.find(({ id }) => id === 'numbers_cancel');

/** The state of a confirmed cancellation of two numbers. */
function ended(action: Action, state: Action['state'], more: Partial<Action>): Action {
  const decided = { decidedBy: '@lee', decidedPerson: `slack:T000DEMO/${U_LEAD}`, decidedVia: 'slack' };
  const at = START + 60_000;
  return { ...action, ...decided, state, decidedAt: at, sentAt: at, finishedAt: at, updatedAt: at, ...more };
}

const partly = {
  OrderId: 'JNUOID-1',
  Status: 'Complete',
  NumbersChange: [{ Number: A }],
  FailedChange: [{ Number: B, Reason: 'The carrier refused the change' }],
};
const unknown = { code: 'timeout', outcome: 'unknown', message: 'The platform did not answer in time.' } as const;

/** The order in the channel of events, with its thread. */
async function orderText(s: Stage): Promise<string> {
  const feed = s.slack.openEvents(s.store.database('slack-events'));
  const before = new Set(s.ws.messages(C_APPROVALS).map(({ ts }) => ts));
  const order = { orderId: ORDER_1, numbers: [A] };
  await feed?.order({ ...order, status: 'Submitted', message: '' });
  await feed?.order({ ...order, status: 'Rejected', message: 'Account number does not match' });
  const told = s.ws.messages(C_APPROVALS).filter(({ ts }) => !before.has(ts));
  return told.map((one) => `${one.threadTs ? 'in its thread\n' : ''}${messageText(one)}`).join('\n');
}

it('is drawn as before', async () => {
  const s = await stage({ SLACK_VIEWERS: ['*'] });
  const files: Files = { 'event-order.txt': await orderText(s) };
  const formed = (id: string) => {
    const found = tools.find((one) => one.id === id);
    if (!found) throw new Error(id);
    return viewText(formView({ tool: found, values: {}, state: { flow: 'form', operation: id }, reworded }));
  };
  files['form.txt'] = formed('subscribers_message_filter_create');
  files['form-secrets.txt'] = formed('numbers_portin');
  await s.type('/number', A);
  files['lookup.txt'] = messageText(await whisper(s.ws, U_AGENT, 'Ava Stone'));
  await s.type('/numbers', 'inventory');
  await s.settled();
  files['list.txt'] = messageText(await whisper(s.ws, U_AGENT, '10 lines'));
  await s.type('/packages', 'help');
  files['help.txt'] = messageText(await whisper(s.ws, U_AGENT, '/packages create'));

  await s.type('/numbers', `cancel PhoneNumbers='[{"Number":"${A}"},{"Number":"${B}"}]'`);
  const [asked] = await until(
    async () => s.gate.actions.list({ states: ['pending'] }),
    (all) => all.length === 1,
  );
  if (!asked) throw new Error('nobody was asked');
  await s.settled();
  const action: Action = { ...asked, notes: { slack: asked.notes.slack } };
  const card = (one: Action) => messageText(actionMessage(one, { tool, reworded }));
  files['card-waiting.txt'] = card(action);
  files['card-partly.txt'] = card(ended(action, 'partly', { result: partly }));
  files['card-unknown.txt'] = card(ended(action, 'unknown', { error: unknown }));
  files['card-declined.txt'] = card(ended(action, 'declined', { decidedReason: 'The customer stays' }));
  const shown = { title: tool?.title ?? '', changed: true, mismatched: [], notes: [], id: 'handle', value: partly };
  const outcome = outcomeOf({ state: 'partly', result: partly, shown: action.shown, known: {} }, tool);
  files['result.txt'] = messageText(resultMessage({ ...shown, partly: outcome }));
  await s.ws.openHome({ user: U_LEAD });
  files['home.txt'] = viewText((await until(() => s.ws.home(U_LEAD)))?.definition ?? {});

  expect(files).toEqual(committed('slack', files));
  expect(s.ws.warnings()).toEqual([]);
});
