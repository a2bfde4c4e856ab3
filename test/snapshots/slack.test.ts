import { beforeEach, describe, expect, it } from 'vitest';
import type { Given } from '../../src/demo/playground/forms.ts';
import { objects } from '../../src/demo/playground/types.ts';
import type { WatchEvent } from '../../src/events/parse.ts';
import { formView } from '../../src/surfaces/slack/blocks/form.ts';
import { createReworder } from '../../src/surfaces/slack/people/roles.ts';
import { groups } from '../../tools/groups.ts';
import { tools } from '../../tools/index.ts';
import { event, ORDER_1 } from '../events/support.ts';
import { DETAILS } from '../surfaces/slack/portin-details.ts';
import {
  C_APPROVALS,
  card,
  decline,
  type Stage,
  stage,
  U_AGENT,
  U_LEAD,
  until,
  whispers,
} from '../surfaces/slack/support.ts';
import { committed, type Files } from './files.ts';
import { cardFiles, resultFiles } from './slack-cards.ts';
import { messageText, viewText } from './slack-text.ts';

/*
 * Snapshots of the texts that people see in Slack, so that a review shows every change. `npm run snapshots` rewrites
 * them.
 */

const OURS = '+12015550101';
const THEIRS = '+12015550199';

/** The empty form of every operation. */
function formFiles(): Files {
  const reworded = createReworder(tools);
  return Object.fromEntries(
    tools.map((tool) => [
      `${tool.id}.txt`,
      viewText(formView({ tool, values: {}, state: { flow: 'form', operation: tool.id, channel: 'C123' }, reworded })),
    ]),
  );
}

/** The steps of the port-in guide, up to a rejected order and its correction. */
async function guideFiles(s: Stage): Promise<Files> {
  const files: Files = {};
  const top = () => s.ws.openViews(U_AGENT).at(-1);
  const step = async (name: string, text: string) => {
    await until(() => JSON.stringify(top()?.definition ?? '').includes(text), text);
    await s.settled();
    files[`${name}.txt`] = viewText(top()?.definition ?? {});
  };
  const submit = async (given: Record<string, Given>) => {
    const inputs = objects(top()?.definition.blocks).filter(({ type }) => type === 'input');
    const values = inputs.flatMap(({ block_id }) => {
      const value = given[String(block_id).split('~')[0] ?? ''];
      return value === undefined ? [] : [[String(block_id), value] as const];
    });
    expect(await s.ws.submit({ user: U_AGENT, values: Object.fromEntries(values) })).toMatchObject({ status: 200 });
  };
  const press = (actionId: string) => s.ws.click({ user: U_AGENT, view: true, actionId });

  await s.type('/numbers', 'portin guide +13125550191');
  await step('1-check', '🔵 1 Eligibility');
  await submit({});
  await step('2-not-eligible', 'cannot be ported in');
  await s.ws.closeView({ user: U_AGENT });
  await s.type('/numbers', 'portin guide +13125550190');
  await step('1-check', '🔵 1 Eligibility');
  await submit({});
  await step('3-details', '🔵 2 Details');
  await submit(DETAILS);
  await step('4-waiting', 'Open the card');
  await decline(s, { user: U_LEAD, messageTs: (await card(s.ws)).ts });
  await step('5-declined', 'Secrets are not kept');
  await submit(DETAILS);
  await step('4-waiting', 'Open the card');
  await s.ws.click({ user: U_LEAD, messageTs: (await card(s.ws)).ts, actionId: 'sb_confirm' });
  await step('6-tracking', 'Submitted');
  await s.control('clock', { advance: '2m' });
  await press('sb_order_look');
  await step('7-rejected', 'missing or wrong');
  await press('sb_order_fix');
  await step('8-correct', 'Submit again');
  return files;
}

/** Lookup, help and Home, as a person gets them who has just asked for a cancellation. */
async function personFiles(s: Stage): Promise<Files> {
  const files: Files = {};
  const answered = async (name: string, command: string, line: string) => {
    const before = whispers(s.ws, U_AGENT).length;
    await s.type(command, line);
    await until(() => whispers(s.ws, U_AGENT).length > before, `an answer to ${command} ${line}`);
    await s.settled();
    const answer = whispers(s.ws, U_AGENT).at(-1);
    if (!answer) throw new Error(`no answer to ${command} ${line}`);
    files[`${name}.txt`] = messageText(answer);
  };
  await answered('lookup', '/number', OURS);
  await answered('answer', '/numbers', 'inventory');
  await answered('answer-refused', '/numbers', 'get +12015550177');
  for (const name of Object.keys(groups)) await answered(`help-${name}`, `/${name}`, 'help');
  await answered('help-numbers_reactivate', '/numbers', 'reactivate help');
  await answered('asked', '/numbers', 'cancel +12015550103');
  await until(async () => {
    const [action] = await s.gate.actions.list({ states: ['pending'] });
    return JSON.stringify(action?.notes.messages ?? {}).includes('"at"');
  }, 'the message to approvers');
  for (const [name, user] of Object.entries({ requester: U_AGENT, approver: U_LEAD })) {
    await s.ws.openHome({ user });
    const home = await until(() => s.ws.home(user));
    files[`home-${name}.txt`] = viewText(home?.definition ?? {});
  }
  return files;
}

/** Returns the contents of the events channel, one message for each kind, with its thread below. */
async function eventFiles(s: Stage): Promise<Files> {
  const feed = s.slack.openEvents(s.store.database('slack-events'));
  if (!feed) throw new Error('no channel for events');
  const files: Files = {};
  let seen = new Set<string>();
  const show = async (name: string, work: () => Promise<void>) => {
    await work();
    const fresh = s.ws.messages(C_APPROVALS).filter(({ ts }) => !seen.has(ts));
    seen = new Set(s.ws.messages(C_APPROVALS).map(({ ts }) => ts));
    expect(fresh.length).toBeGreaterThan(0);
    const texts = fresh.map((one) => `${one.threadTs ? 'in its thread\n' : ''}${messageText(one)}`);
    files[`${name}.txt`] = texts.join('\n');
  };
  const order = (status: string, message = '') => ({ orderId: ORDER_1, status, message, numbers: [OURS] });
  const told = async (fields: Record<string, unknown>) => {
    const made = event(fields);
    if (made.kind === 'message') await feed.message(made);
    else if (made.kind === 'status') await feed.status(made);
    else if (made.kind === 'call') await feed.call(made);
    else throw new Error(`nobody is told of ${made.kind}`);
  };
  const message = { Direction: 'INBOUND', From: THEIRS, To: OURS };
  const media = [{ MediaUrl: 'https://media.example/1.jpg' }];
  const watched: WatchEvent = {
    kind: 'watch',
    name: '',
    key: `watch ${OURS} 0`,
    subject: `watch ${OURS}`,
    phone: OURS,
    found: 'has reached its throttle threshold',
    by: [`slack:T1/${U_AGENT}`],
    fields: { Used: '900 MB', Remaining: '100 MB', CurrentBehavior: 'Throttled', LimitValue: 1000, ValueUnit: 'MB' },
  };

  await show('order', () => feed.order(order('Submitted')));
  await show('order-scheduled', () => feed.order(order('Scheduled')));
  await show('order-rejected', () => feed.order(order('Rejected', 'Account number does not match')));
  const root = s.ws.messages(C_APPROVALS).find(({ threadTs }) => !threadTs);
  if (!root) throw new Error('no card of the order');
  files['order-card-rejected.txt'] = messageText(root);
  await show('message', async () => {
    await told({ ...message, MessageId: 'TMID-1', Body: 'Hello.', MmsMedia: media });
    const isNamed = () => s.ws.messages(C_APPROVALS).some((one) => messageText(one).includes('Ava Stone'));
    await until(isNamed, 'the customer');
  });
  await show('message-reply', () => told({ ...message, MessageId: 'TMID-2', Body: 'Second.' }));
  const delivery = { MessageId: 'TMID-9', Direction: 'OUTBOUND', From: OURS, To: THEIRS };
  await show('message-delivered', () => told({ ...delivery, Status: 'DELIVERED' }));
  await show('message-undelivered', () => told({ ...delivery, Status: 'UNDELIVERED' }));
  const call = { CallId: 'CID-1', From: THEIRS, To: OURS };
  await show('call', () => told({ ...call, Event: 'Call_Completed', DurationSeconds: 73 }));
  await s.gate.history({ id: `slack:T1/${U_AGENT}` } as never).watch(OURS);
  await show('data-usage', () => feed.watch(watched));
  return files;
}

describe('snapshots of Slack: npm run snapshots rewrites them', () => {
  let s: Stage;
  beforeEach(async () => {
    s = await stage({ SLACK_VIEWERS: ['*'] });
  });

  it.each<[string, (s: Stage) => Promise<Files>, number]>([
    ['cards', cardFiles, 28],
    ['person', personFiles, 10],
    ['guide', guideFiles, 8],
    ['events', eventFiles, 10],
    ['results', async () => resultFiles(), 3],
    ['forms', async () => formFiles(), tools.length],
  ])('%s', async (kind, make, least) => {
    const files = await make(s);
    expect(Object.keys(files).length).toBeGreaterThanOrEqual(least);
    expect(files).toEqual(committed(`slack/${kind}`, files));
    expect(s.ws.warnings()).toEqual([]);
  });
});
