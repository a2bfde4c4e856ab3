import { outcomeOf } from '../../src/language/outcome.ts';
import type { Action } from '../../src/ledger/ledger.ts';
import type { Fields } from '../../src/lib/json.ts';
import { actionMessage, reminderMessage } from '../../src/surfaces/slack/blocks/card.ts';
import { resultMessage } from '../../src/surfaces/slack/blocks/result.ts';
import { createReworder } from '../../src/surfaces/slack/people/roles.ts';
import { tools } from '../../tools/index.ts';
import { START } from '../support/clock.ts';
import { C_APPROVALS, C_SUPPORT, type Stage, U_AGENT, U_LEAD, until } from '../surfaces/slack/support.ts';
import type { Files } from './files.ts';
import { messageText } from './slack-text.ts';

const reworded = createReworder(tools);

/** The command for an operation of a risk, and the platform's answers. */
interface Asked {
  command: string;
  line: string;
  done: Record<string, unknown>;
  /** The answer of a partial success. Left out if the operation is either done or not. */
  partly?: Record<string, unknown>;
}

const A = '+12015550101';
const B = '+12015550103';
/** A change that ends a number waits alone, so the limits are those of other lines. */
const C = '+12015550104';
const D = '+12015550106';
const ROWS = (second: string) => [
  { Number: C, Status: 'Success' },
  { Number: D, Status: second },
];
const RECIPIENTS = (second: string) => [
  { Number: '+12015550198', Status: 'Sent' },
  { Number: '+12015550199', Status: second },
];
const BOTH = `PhoneNumbers='[{"Number":"${A}"},{"Number":"${B}"}]'`;

/** One operation of every risk that a person confirms: by its own risk, or raised by its input. */
const ASKED: Readonly<Record<string, Asked>> = {
  destroy: {
    command: '/numbers',
    line: `cancel ${BOTH}`,
    done: { OrderId: 'JNUOID-1', Status: 'Complete', NumbersChange: [{ Number: A }, { Number: B }] },
    partly: {
      OrderId: 'JNUOID-1',
      Status: 'Complete',
      NumbersChange: [{ Number: A }],
      FailedChange: [{ Number: B, Reason: 'The carrier refused the change' }],
    },
  },
  spend: {
    command: '/numbers',
    line: 'reactivate +12015550107 AccountId=AID-00000000-0000-4000-8000-000000000001',
    done: { PhoneNumber: '+12015550107', Status: 'Success' },
  },
  'spend-several': {
    command: '/message',
    line: `outbound From=${C} To='[{"Number":"+12015550198"},{"Number":"+12015550199"}]' Body="Your order is ready."`,
    done: { To: RECIPIENTS('Sent') },
    partly: { To: RECIPIENTS('Undelivered') },
  },
  raised: {
    command: '/numbers',
    line: `data usage set PhoneNumbers='[{"Number":"${C}"},{"Number":"${D}"}]' LimitValue=0`,
    done: { PhoneNumbers: ROWS('Success') },
    partly: { PhoneNumbers: ROWS('Failed') },
  },
};

const DECIDED = {
  decidedBy: '@lee',
  decidedPerson: `slack:T000DEMO/${U_LEAD}`,
  decidedVia: 'slack',
  decidedAt: START + 60_000,
} as const;
const ENDED = { ...DECIDED, sentAt: START + 60_000, finishedAt: START + 61_000, updatedAt: START + 61_000 } as const;

/** The action in every state that its card has. */
function states(action: Action, { done, partly }: Asked): Record<string, Action> {
  const error = { transactionLogId: 'TLID-1' };
  return {
    '1-waiting': action,
    '2-running': { ...action, ...DECIDED, state: 'in_flight' },
    '3-done': { ...action, ...ENDED, state: 'done', result: done },
    ...(partly && { '4-partly': { ...action, ...ENDED, state: 'partly', result: partly } }),
    '5-failed': {
      ...action,
      ...ENDED,
      state: 'failed',
      error: { ...error, code: 'refused', outcome: 'not_done', message: 'The platform refused it: no stock.' },
    },
    '6-unknown': {
      ...action,
      ...ENDED,
      state: 'unknown',
      error: { ...error, code: 'timeout', outcome: 'unknown', message: 'The platform did not answer in time.' },
    },
    '7-declined': { ...action, ...DECIDED, state: 'declined', finishedAt: START + 60_000 },
    '8-withdrawn': { ...action, state: 'declined', decidedVia: 'cancelled', finishedAt: START + 60_000 },
    '9-expired': { ...action, state: 'expired', finishedAt: START + 300_000 },
  };
}

/** Cards of the questions that the product asks on the sandbox, in every state. */
export async function cardFiles(s: Stage): Promise<Files> {
  const files: Files = {};
  for (const [risk, asked] of Object.entries(ASKED)) {
    const known = new Set((await s.gate.actions.list({})).map(({ id }) => id));
    const found = async () => (await s.gate.actions.list({})).find((one) => one.consent && !known.has(one.id));
    await s.type(asked.command, asked.line, U_AGENT);
    const given = await until(found, (one) => one !== undefined);
    if (!given) throw new Error(`nobody was asked: ${asked.line}`);
    // Approvers are notified meanwhile, so the notes are reset to those of the moment of the request.
    const action: Action = { ...given, notes: { slack: { asker: U_AGENT, from: C_SUPPORT } } };
    const tool = tools.find(({ id }) => id === action.operation);
    for (const [name, state] of Object.entries(states(action, asked)))
      files[`${risk}-${name}.txt`] = messageText(actionMessage(state, { tool, reworded }));
    const elsewhere = { url: 'https://switchboard.example.com/confirm/act_1' };
    if (risk !== 'destroy') continue;
    files[`${risk}-elsewhere.txt`] = messageText(actionMessage(action, { tool, reworded, elsewhere }));
    const forApprovers = { tool, reworded, forApprovers: true };
    files[`${risk}-told.txt`] = messageText(actionMessage(action, forApprovers));
    files[`${risk}-reminder.txt`] = messageText(reminderMessage(action, forApprovers));
    const expired: Action = { ...action, state: 'expired', finishedAt: START + 300_000 };
    files[`${risk}-reminder-expired.txt`] = messageText(reminderMessage(expired, forApprovers));
    for (const [name, notes] of Object.entries(TOLD)) {
      const told = { ...action, notes: { ...action.notes, ...notes } };
      files[`${risk}-asked-${name}.txt`] = messageText(actionMessage(told, { tool, reworded }));
    }
  }
  return files;
}

const at = (channel: string) => ({ triedAt: START, at: { channel, ts: '1.1' } });
const PEOPLE = ['U1', 'U2', 'U3', 'U4', 'U5', 'U6', 'U7'];

/** Notes about the messages to approvers, by case. */
const TOLD: Readonly<Record<string, Fields>> = {
  channel: { approvers: { places: [C_APPROVALS] }, messages: { [`asked ${C_APPROVALS}`]: at(C_APPROVALS) } },
  people: {
    approvers: { places: [U_LEAD, 'U2'] },
    messages: { [`asked ${U_LEAD}`]: at('D1'), 'asked U2': { triedAt: START, refused: 'user_not_found' } },
  },
  'many-people': {
    approvers: { places: PEOPLE, more: 5 },
    messages: Object.fromEntries(PEOPLE.map((user) => [`asked ${user}`, at('D1')])),
  },
  'nobody-channel': {
    approvers: { places: [C_APPROVALS] },
    messages: { [`asked ${C_APPROVALS}`]: { triedAt: START, refused: 'not_in_channel' } },
  },
  'nobody-busy': {
    approvers: { places: [C_APPROVALS] },
    messages: { [`asked ${C_APPROVALS}`]: { triedAt: START, refused: 'ratelimited' } },
  },
  'nobody-named': { approvers: { nobody: 'unnamed' } },
  'nobody-else': { approvers: { nobody: 'barred' } },
};

/** The answer of a change without a confirmation: done in full, and in part. */
export function resultFiles(): Files {
  const tool = tools.find(({ id }) => id === 'numbers_data_usage_set');
  const held = { title: tool?.title ?? '', changed: true, mismatched: [], notes: [], id: 'handle' };
  const value = { PhoneNumbers: ROWS('Failed') };
  const shown = { PhoneNumbers: [{ Number: A }, { Number: B }], LimitValue: 500 };
  const partly = outcomeOf({ state: 'partly', result: value, shown, known: {} }, tool);
  return {
    'done.txt': messageText(resultMessage({ ...held, value: { PhoneNumbers: ROWS('Success') } })),
    'partly.txt': messageText(resultMessage({ ...held, value, partly })),
    'shared.txt': messageText(
      resultMessage({ ...held, value: { PhoneNumbers: ROWS('Success') } }, { shared: U_AGENT }),
    ),
  };
}
