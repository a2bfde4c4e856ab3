import type { Json } from '../support/world.ts';

/** One action as the ledger's file holds it at the end. */
export interface LedgerAction {
  id: string;
  operation: string;
  state: string;
  shown: Json;
  result: Json;
}

export interface AuditNote {
  action: string;
  what: string;
}

/** The number of times that one piece of work was done at the platform, and that the ledger says so. */
interface Work {
  what: string;
  done: number;
  open: number;
  platform: number;
}

/**
 * Compares ledger, audit trail and platform, action by action. Returns their disagreements, in words.
 * Work counts as agreed if the platform did it at least as often as the ledger says done, and at most as often as the
 * ledger says done or unknown. Work that is "failed" or "declined" was never done.
 */
export function disagreements(actions: readonly LedgerAction[], audit: readonly AuditNote[], state: Json): string[] {
  const found: string[] = [];
  for (const action of actions) {
    // A reason that is given after a decline is a separate note, and no state.
    const notes = audit.filter((note) => note.action === action.id).map((note) => note.what);
    const sent = notes.filter((what) => what === 'sent').length;
    if (['confirmed', 'in_flight'].includes(action.state)) found.push(`${action.id} is still ${action.state}`);
    if (action.state !== notes.at(-1) && !(action.state === 'pending' && notes.at(-1) === 'asked'))
      found.push(`${action.id} is ${action.state}, its audit trail ends with ${notes.at(-1)}`);
    if (sent > 1) found.push(`${action.id} was sent ${sent} times`);
    if (sent === 0 && ['done', 'unknown'].includes(action.state)) found.push(`${action.id} is ${action.state} unsent`);
  }
  for (const work of [...messages(actions, state), ...purchases(actions, state), ...cancellations(actions, state)]) {
    if (work.platform < work.done) found.push(`${work.what}: done ${work.done}, at the platform ${work.platform}`);
    if (work.platform > work.done + work.open)
      found.push(`${work.what}: at the platform ${work.platform}, done ${work.done}, unknown ${work.open}`);
  }
  const numbers = actions
    .filter((action) => action.operation === 'numbers_provision' && action.state === 'done')
    .map((action) => action.result?.PhoneNumberAssigned);
  for (const number of numbers) {
    if (numbers.filter((other) => other === number).length > 1) found.push(`${number} was given to two calls`);
    if (number !== undefined && !state.numbers.some((row: Json) => row.Number === number))
      found.push(`${number} is done, but not at the platform`);
  }
  return found;
}

const count = (actions: readonly LedgerAction[], state: string) => actions.filter((one) => one.state === state).length;

function messages(actions: readonly LedgerAction[], state: Json): Work[] {
  const sends = actions.filter((action) => action.operation === 'message_outbound');
  return [...new Set(sends.map((action) => String(action.shown.Body)))].map((body) => {
    const mine = sends.filter((action) => action.shown.Body === body);
    const platform = state.messages.filter((row: Json) => row.Direction === 'OUTBOUND' && row.Body === body).length;
    return { what: `message "${body}"`, done: count(mine, 'done'), open: count(mine, 'unknown'), platform };
  });
}

function purchases(actions: readonly LedgerAction[], state: Json): Work[] {
  const mine = actions.filter((action) => action.operation === 'numbers_provision');
  const platform = state.numbers.filter((row: Json) => !row.Number.startsWith('+12015550')).length;
  return [{ what: 'purchases', done: count(mine, 'done'), open: count(mine, 'unknown'), platform }];
}

/** A number goes through cancellations and reactivations in turn. */
function cancellations(actions: readonly LedgerAction[], state: Json): Work[] {
  const cancels = actions.filter((action) => action.operation === 'numbers_cancel');
  const revivals = actions.filter((action) => action.operation === 'numbers_reactivate');
  const works = (
    list: LedgerAction[],
    what: string,
    numberOf: (action: LedgerAction) => string,
    at: (n: string) => number,
  ) =>
    [...new Set(list.map(numberOf))].map((number) => {
      const mine = list.filter((action) => numberOf(action) === number);
      return {
        what: `${what} of ${number}`,
        done: count(mine, 'done'),
        open: count(mine, 'unknown'),
        platform: at(number),
      };
    });
  const complete = (number: string) =>
    state.cancelOrders.filter(
      (order: Json) => order.State === 'Complete' && order.Numbers.some((row: Json) => row.Number === number),
    ).length;
  const fees = (number: string) => state.fees.filter((fee: Json) => fee.Number === number).length;
  return [
    ...works(cancels, 'cancellation', (action) => action.shown.PhoneNumbers[0].Number, complete),
    ...works(revivals, 'reactivation', (action) => action.shown.PhoneNumber, fees),
  ];
}
