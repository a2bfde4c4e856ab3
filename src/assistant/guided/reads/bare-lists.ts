import { wordsOf } from '../../../language/sentence.ts';
import { defined, type Fields } from '../../../lib/json.ts';
import { answer, type GuidedAnswer } from '../answers/answer.ts';
import type { Reader } from '../answers/readings.ts';
import type { Asked } from '../facts/stance.ts';

/* Lists in as few words as a command: "list parked", "active", "all voip lines", "count by status", "list". */

export const STATES: Readonly<Record<string, string>> = {
  active: 'Active',
  live: 'Active',
  parked: 'Parked',
  suspended: 'Parked',
  paused: 'Parked',
  frozen: 'Parked',
  cancelled: 'Cancelled - Pending Delete',
  canceled: 'Cancelled - Pending Delete',
  disconnected: 'Cancelled - Pending Delete',
  terminated: 'Cancelled - Pending Delete',
  'pending deletion': 'Cancelled - Pending Delete',
  'cancel window': 'Cancelled - Pending Delete',
  'cancellation window': 'Cancelled - Pending Delete',
  'grace period': 'Cancelled - Pending Delete',
};
export const PRODUCTS: Readonly<Record<string, string>> = {
  voip: 'voip',
  iot: 'iot',
  mvno: 'mvno',
  mobile: 'mvno',
  'data-only': 'data-only',
  'data only': 'data-only',
};
const COUNTS: Readonly<Record<string, string>> = {
  status: 'Status',
  state: 'Status',
  plan: 'Plan',
  package: 'Plan',
  product: 'Product',
  type: 'Product',
  kind: 'Product',
  customer: 'Customer',
  subscriber: 'Customer',
  account: 'Account',
  month: 'Month',
  'area code': 'AreaCode',
};

const LEAD = String.raw`^\W*(?:(?:please|pls|hi|hey|can|could|you|u|i|we|need|want|a|me|us|just|ok|so|to|see|get|give|send)[\s,]+)*`;
const ASKS = String.raw`(?:(?:list|show|me|us|find|search|filter|display|view|print|which|what|how\s+many|are|is|there|lines|numbers|sims|all|every|any|everything|everyone|the|our|that|of|with|by|in|as|for|status|state|type|product|currently|now|do|we|have)[\s:=]+)*`;
const NOUN = String.raw`(?:\s+(?:lines?|numbers?|sims?|ones?|phones?|customers?|accounts?|list|stuff))?`;
const TAIL = String.raw`(?:\s+(?:please|pls|now|right\s+now|there\s+are|do\s+we\s+have|we\s+have|are\s+there|today|again|only|currently))*[\s.!?]*$`;
const STATED = new RegExp(
  String.raw`${LEAD}${ASKS}(?<state>${Object.keys(STATES).join('|')}|on\s+(?:hold|pause|ice))${NOUN}${TAIL}`,
  'iu',
);
const OF_PRODUCT = new RegExp(
  `${LEAD}(?<asks>${ASKS})(?<product>${Object.keys(PRODUCTS).join('|')})(?<noun>${NOUN})${TAIL}`,
  'iu',
);
const COUNTED = new RegExp(
  String.raw`${LEAD}(?:(?:count|counts|total|totals|number|numbers|lines|how\s+many|break\s*down|broken\s+down|group|grouped|sum|summary|stats|of|the|all|our|show|list)[\s:]+)+(?:by|per|for\s+each|of\s+each|each)\s+(?<by>${Object.keys(COUNTS).join('|')})(?:s|es)?${TAIL}`,
  'iu',
);
const ALL = new RegExp(
  String.raw`${LEAD}(?:(?:list|show|all|inventory|everything|lines|numbers)(?:\s+(?:me|us|all|everything|the|our|of|them|lines|numbers|it|inventory))*)${TAIL}`,
  'iu',
);

const NAME = String.raw`(?<name>\p{L}[\p{L}\d&.-]*(?:\s+\p{L}[\p{L}\d&.-]*){0,2}?)`;
const OF_NAME = [
  new RegExp(String.raw`\s+(?:at|of|for|from|under)\s+(?:the\s+)?${NAME}(?:['’]s)?(?=${TAIL})`, 'iu'),
  new RegExp(String.raw`\s+(?:does|do)\s+${NAME}\s+(?:have|own|use)(?=${TAIL})`, 'iu'),
  new RegExp(String.raw`(?<![\p{L}\d])${NAME}['’]s(?=\s)`, 'iu'),
];

/** "All iot lines at acme" without its customer, and the customer. */
function withoutName(said: string): { list: string; name?: string } {
  for (const pattern of OF_NAME) {
    const match = pattern.exec(said);
    const name = match?.groups?.name;
    if (
      match &&
      name !== undefined &&
      wordsOf(name).every(({ isUnknown }) => isUnknown) &&
      !Object.hasOwn(PRODUCTS, name)
    )
      return { list: said.replace(match[0], ' '), name };
  }
  return { list: said };
}

/** The list that such a message asks for. Undefined for any other message. */
export function ofBareList({ said: whole, facts, mayUse }: Asked, { byId }: Reader): GuidedAnswer | undefined {
  const { list: said, name } = withoutName(whole);
  if (said.length > MAX_LENGTH || facts.mentions.length > 0 || facts.ids.length > 0) return undefined;
  const tool = byId.get('numbers_find');
  if (!tool || !mayUse(tool.id)) return undefined;
  const list = (input: Fields, what: string): GuidedAnswer => ({
    ...answer('lookup', {
      tool,
      input: { ...defined({ Query: name }), ...input },
      understood: `Find numbers${name === undefined ? '' : ` by "${name}"`}; ${what}`,
    }),
    isList: true,
  });
  const word = STATED.exec(said)?.groups?.state?.toLowerCase();
  const state = word === undefined ? undefined : (STATES[word] ?? 'Parked');
  if (state !== undefined) return list({ Status: state }, `state: ${state}`);
  const by = COUNTS[COUNTED.exec(said)?.groups?.by?.toLowerCase().replace(/\s+/g, ' ') ?? ''];
  if (by !== undefined)
    return list({ CountBy: by }, `counted by ${by.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()}`);
  const { asks = '', product, noun = '' } = OF_PRODUCT.exec(said)?.groups ?? {};
  const kind = PRODUCTS[product?.toLowerCase() ?? ''];
  // "VoIP" alone is no list.
  if (kind !== undefined && (asks !== '' || noun !== '')) {
    const isCount = /\bhow\s+many\b/i.test(asks);
    return list(
      { Product: kind, ...(isCount && { CountBy: 'Status' }) },
      `product: ${kind}${isCount ? '; counted by state' : ''}`,
    );
  }
  const inventory = byId.get('numbers_inventory_get');
  if (!ALL.test(whole) || !inventory || !mayUse(inventory.id)) return undefined;
  return answer('lookup', { tool: inventory, input: {}, understood: inventory.title });
}

const OF_STATE = new RegExp(
  String.raw`\b(?:all|every|each)\s+(?:of\s+)?(?:the\s+|our\s+)?(?<state>(?:${Object.keys(STATES).join('|')})\s+(?:(?:${Object.keys(PRODUCTS).join('|')})\s+)?(?:lines?|numbers?|sims?))(?!\s+(?:of|for|from|at|under|on|with|without|that|which|in)\b)`,
  'iu',
);

/** The words that list the lines which a sentence names by their state alone: "texts off for all parked lines". */
export function linesOfState(said: string): string | undefined {
  const state = OF_STATE.exec(said)?.groups?.state;
  return state === undefined ? undefined : `list ${state}`;
}

/** The list of cancelled lines with a word about those that it leaves out, which are released. */
export function withReleased(guided: GuidedAnswer, said: string): GuidedAnswer {
  const { operation, input } = guided;
  if (operation !== 'numbers_find' || input.Status !== CANCELLED || !NOT_IN_SERVICE.test(said)) return guided;
  return {
    ...guided,
    understood: `${guided.understood} Those whose 30 days are over have the state “Cancelled”, and are not in this list.`,
    nearest: [...(guided.nearest ?? []), { operation, input: { ...input, Status: 'Cancelled' } }],
  };
}

const CANCELLED = 'Cancelled - Pending Delete';
const NOT_IN_SERVICE = /\b(?:cancell?ed|disconnected|terminated|deactivated)\b/i;

const MAX_LENGTH = 60;

const ASKS_NAME =
  /^(?!.*\b(?:how|change|set|should|wrong|fix|update)\b).*(?:\b(?:what|whats|which|what['’]s)\b[^.;!?]*\b(?:(?:caller[\s-]*(?:id|name)|cnam|display\s+name)\b|name\b[^.;!?]*\b(?:shows?|showing|displays?|displayed|appears?|comes\s+up|pops\s+up|shown|see)\b)|\bwhat\s+(?:do|does|will)\s+(?:people|others|callers|everyone|someone|they)\s+see\s+when\b|^\W*(?:(?:show|tell|give)\s+(?:me\s+)?(?:the\s+)?)?(?:current\s+)?(?:caller[\s-]*(?:id|name)(?:\s+name)?|cnam)\s+(?:of|for|on)\b)/isu;

const CALLS =
  /\bwhen\s+(?<who>(?!(?:i|we|you|u|he|she|they|it|the|a|an|our|my|his|her|people|somebody|someone)\b)\p{L}+(?:\s+\p{L}+)?)\s+(?:calls?|rings?|phones|texts?|is\s+calling)\b/iu;

/** "What caller name does ava have": the line, with its caller name first. */
export function ofCallerName({ said, facts, clauses }: Asked, { finder, byId }: Reader): GuidedAnswer | undefined {
  if (!ASKS_NAME.test(said) || facts.mentions.length > 1) return undefined;
  const who = CALLS.exec(said)?.groups?.who;
  const tool = byId.get('numbers_find');
  // "When ava calls" has the name before a verb.
  const lookup =
    who !== undefined && tool && facts.mentions.length === 0
      ? answer('lookup', { tool, input: { Query: who }, understood: `Find numbers by "${who}"` })
      : finder.plainLookup(facts, clauses);
  if (lookup.operation === undefined || lookup.kind === 'help') return undefined;
  return { ...lookup, facts: ['caller'] };
}
