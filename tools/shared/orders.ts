/** A state of an order (PLATFORM.md, Orders). */
interface OrderState {
  name: string;
  /** On a line of steps; left out for a state that is not one of them. */
  step?: string;
  /** How far the order has come. An order never goes back, except for a rejected one that is corrected. */
  rank: number;
  /** Nothing moves the order any more. A rejected one may be corrected and is then submitted again. */
  final: boolean;
  /** Other spellings. */
  also?: readonly string[];
}

const STATES: readonly OrderState[] = [
  { name: 'Submitted', step: 'Submitted', rank: 1, final: false },
  { name: 'Pending Carrier Approval', step: 'Carrier approval', rank: 2, final: false },
  { name: 'Scheduled', step: 'Scheduled', rank: 3, final: false },
  { name: 'Completed', step: 'Completed', rank: 4, final: true, also: ['Complete'] },
  { name: 'Rejected', rank: 4, final: false },
  { name: 'Cancelled', rank: 4, final: true, also: ['Canceled'] },
];

const BY_NAME = new Map(STATES.map((state) => [state.name, state]));
const BY_SPELLING = new Map(
  STATES.flatMap(({ name, also = [] }) => [name, ...also].map((text) => [plain(text), name])),
);
const LAST_RANK = Math.max(...STATES.map(({ rank }) => rank));

/** The steps of a port-in in their order: the state, and its label. */
export const orderSteps: readonly (readonly [status: string, label: string])[] = STATES.flatMap(({ name, step }) =>
  step === undefined ? [] : [[name, step] as const],
);

/** States in which nothing moves any more. */
export const finalOrderStates: readonly string[] = STATES.filter(({ final }) => final).map(({ name }) => name);

/** One spelling for each state; a state that is not known stays as it was written. */
export function orderStatus(given: string): string {
  return BY_SPELLING.get(plain(given)) ?? given.trim();
}

/** Nothing moves an order any more; a rejected one may still be corrected. */
export function hasEnded(status: string): boolean {
  return finalOrderStates.includes(status);
}

/** The order waits for nothing at the platform: it is completed, cancelled, or rejected until somebody corrects it. */
export function hasStopped(status: string): boolean {
  return orderRank(status) === LAST_RANK;
}

/** How far an order has come. Undefined for a state that is not known. */
export function orderRank(status: string): number | undefined {
  return BY_NAME.get(status)?.rank;
}

/** Without case and punctuation. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}
