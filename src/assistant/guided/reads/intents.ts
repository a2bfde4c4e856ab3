import { families } from '../../../../tools/surfaces/families.ts';
import { FILTER_FIELDS } from '../../../../tools/surfaces/guard.ts';
import model from '../../../../tools/surfaces/intents.json' with { type: 'json' };
import { foreign } from '../../../../tools/surfaces/words.ts';
import { isChange, type Tool } from '../../../catalogue/operation.ts';
import { type Intent, type IntentModel, intentsOf } from '../../../language/intents/intents.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import { isReport } from '../facts/clauses.ts';
import { type Asked, type Clause, type Fit, isPolite, isQuestion } from '../facts/stance.ts';
import { TOPICS, type Topic } from './topic-answers.ts';

/*
 * The second reading of a message: by examples (`tools/surfaces/examples`), beside the reading by rules. It knows turns of
 * phrase that no rule has, but not what is negated, doubtful or another's: the rules say that.
 */

/** Least share of an operation that takes the place of a reading by rules, by what the rules read. */
const LEAST = {
  /** Nothing. */
  unread: 0.42,
  /** Nothing, for an operation that costs or takes away. */
  costly: 0.62,
  /** Nothing, for what is no operation. */
  topic: 0.7,
  /** Another operation. */
  other: 0.78,
  /** Another operation, where one of the two costs or takes away. */
  risky: 0.9,
};
/** The reading by rules stays if its operation has more than this part of the likeliest share. */
const MOST_RULED = 0.15;
/** Least share of an operation that is offered beside another answer, and beside none. */
const OFFERED = { beside: 0.5, alone: 0.2 };
const MOST_OFFERED = 3;
/** An operation is unsure if its contrary has more than this part of its share. */
const UNSURE = 0.25;

const FOREIGN: ReadonlySet<string> = new Set(foreign);

/** Reads of one record by its id, and the list that is shown where no id is named. */
const LISTS: Readonly<Record<string, string>> = {
  message_routes_get: 'account_message_routes_get',
  voice_routes_get: 'account_voice_routes_get',
  webhook_get: 'account_webhooks_get',
  packages_get: 'account_packages_get',
  products_get: 'account_products_get',
  subscriptions_get: 'account_subscriptions_get',
  workgroups_get: 'account_workgroups_get',
  message_details_get: 'message_search_get',
};
/** Two readings that show the same card. */
const CARDS: ReadonlySet<string> = new Set(
  'numbers_lookup numbers_find numbers_get numbers_inventory_get numbers_data_usage_info numbers_data_usage_settings'.split(
    ' ',
  ),
);

/** An operation that a message may mean. */
interface Meant {
  operation: string;
  /** The kind of it that is likeliest, if it has kinds. */
  kind: string | undefined;
  share: number;
  /** True if the contrary is nearly as likely. */
  isUnsure: boolean;
}

const HAS_ID = /\b[a-z]{2,8}-[\w-]{3,}/i;

const MODEL: IntentModel = model;

/** Ranks what a message may mean, the likeliest first: operations by id, and other topics by their label. */
export function meantBy(text: string): Meant[] {
  const read = intentsOf(text, MODEL);
  const byOperation = new Map<string, Intent[]>();
  for (const intent of read) {
    const [named = ''] = intent.label.split(':');
    const operation = HAS_ID.test(text) ? named : (LISTS[named] ?? named);
    byOperation.set(operation, [...(byOperation.get(operation) ?? []), intent]);
  }
  const shareOf = (label: string) => read.find((intent) => intent.label === label)?.share ?? 0;
  return [...byOperation]
    .map(([operation, [first, ...others]]) => {
      const share = others.reduce((sum, one) => sum + one.share, first?.share ?? 0);
      const [, kind] = first?.label.split(':') ?? [];
      const against = contraries(first?.label ?? '').reduce((sum, one) => sum + shareOf(one), 0);
      return { operation, kind, share, isUnsure: against > share * UNSURE };
    })
    .sort((one, other) => other.share - one.share);
}

const CONTRARY: readonly (readonly [RegExp, string])[] = [
  [/_add$/, '_remove'],
  [/_add$/, '_delete'],
  [/_remove$/, '_add'],
  [/_delete$/, '_add'],
  [/_delete$/, '_create'],
  [/_create$/, '_delete'],
  [/allowed/, 'blocked'],
  [/blocked/, 'allowed'],
  [/^numbers_cancel$/, 'numbers_reactivate'],
  [/^numbers_cancel$/, 'numbers_status:activate'],
  [/^numbers_reactivate$/, 'numbers_cancel'],
  [/^numbers_status:park$/, 'numbers_status:activate'],
  [/^numbers_status:activate$/, 'numbers_status:park'],
  [/^numbers_portin$/, 'numbers_portin_cancel'],
  [/^numbers_portin$/, 'numbers_portout'],
  [/^numbers_portout$/, 'numbers_portin'],
];

const contrariesOf = new Map<string, readonly string[]>();

/** The contraries of a label. They are found once, because each message is compared with all labels. */
function contraries(label: string): readonly string[] {
  const found = contrariesOf.get(label) ?? findContraries(label);
  contrariesOf.set(label, found);
  return found;
}

function findContraries(label: string): string[] {
  return CONTRARY.flatMap(([end, other]) => (end.test(label) ? label.replace(end, other) : []));
}

/** The outcome of the second reading. Empty if the answer by rules stays. */
export interface Second {
  /** The operation in place of the answer. */
  take?: Fit;
  /** The topic that is asked for in its place, and is no operation. */
  topic?: Topic;
  /** Operations that are offered beside the answer. */
  offer: Fit[];
}

/** Words that ask for nothing by themselves: "0103 as well" follows on what was said before. */
const FILLERS =
  /\b(?:as\s+well|too|also|same|again|and|then|now|please|pls|ok|yes|no|the|for|to|on|it|that|this|one|hi|hey|yo|hello|me|i|we|you|can|could|show|see|view|open|pull|up|look|check|find|get|need|want|give)\b|\S*\d\S*/gi;
const SAYS = /\p{L}{2}/u;
/** Topics whose words mean nothing else. */
const SURE_TOPICS: ReadonlySet<string> = new Set(['health', 'who_may', 'numbers_portin_requirements']);
const NOTHING: Second = { offer: [] };

/**
 * Compares the answer by rules with what examples say is meant.
 *
 * @param isUnread the rules found no operation
 * @param toolOf the operations that the writer may use
 */
export function secondReading(
  guided: GuidedAnswer,
  asked: Asked,
  { isUnread, toolOf }: { isUnread: boolean; toolOf: (id: string) => Tool | undefined },
): Second {
  if (isName(asked) || isDecided(guided, asked) || !SAYS.test(asked.said.replace(FILLERS, ' '))) return NOTHING;
  const ruled = guided.guide === 'swap_sim' ? 'swap_sim' : (guided.operation ?? '');
  const meant = meantBy(asked.said).filter(({ share }) => share > OFFERED.alone);
  const [first] = meant;
  if (!first || first.operation === ruled || (CARDS.has(first.operation) && CARDS.has(ruled))) return NOTHING;
  const topic = TOPICS.find((one) => one === first.operation);
  if (topic !== undefined) {
    const least = isUnread ? LEAST.topic : SURE_TOPICS.has(topic) ? LEAST.risky : 1;
    return first.share >= least ? { topic, offer: [] } : NOTHING;
  }
  // Words that the rules have read, such as “stop”, are not outvoted by examples for the contrary.
  if (ruled !== '' && findContraries(ruled).includes(first.operation)) return NOTHING;
  // "Port +1…, account number 100200, …" makes an order, whose parts are those of a correction too.
  if (first.operation === `${ruled}_update`) return NOTHING;
  const mayBe = (fit: Fit) => !isChange(fit.tool) || isOrder(asked, fit.tool);
  const fit = fitOf(first, asked, toolOf);
  if (
    fit &&
    mayBe(fit) &&
    isClear(first, meant, { ruled, least: leastFor(fit.tool, { isUnread, ruled: toolOf(ruled) }) })
  )
    return { take: fit, offer: [] };
  const from = isUnread ? OFFERED.alone : OFFERED.beside;
  const likely = meant.filter(({ share, isUnsure }) => share >= from && !isUnsure).slice(0, MOST_OFFERED);
  const offer = likely.flatMap((one) => fitOf(one, asked, toolOf) ?? []);
  // A change is offered beside nothing else.
  return {
    offer: offer.filter(({ tool }) => !isChange(tool) || (isUnread && isOrder(asked, tool) && !isCostly(tool))),
  };
}

function leastFor(tool: Tool, { isUnread, ruled }: { isUnread: boolean; ruled: Tool | undefined }): number {
  const isRisky = isCostly(tool) || (ruled !== undefined && isChange(ruled));
  if (isUnread) return isRisky ? LEAST.costly : LEAST.unread;
  return isRisky ? LEAST.risky : LEAST.other;
}

function isClear(first: Meant, meant: readonly Meant[], { ruled, least }: { ruled: string; least: number }): boolean {
  const ruledShare = meant.find(({ operation }) => operation === ruled)?.share ?? 0;
  return first.share >= least && ruledShare <= first.share * MOST_RULED && !first.isUnsure;
}

/** True for an answer that says more than what it looks up, and for the text of a message. */
function isDecided(guided: GuidedAnswer, asked: Asked): boolean {
  // The rules have told the line from the numbers on its list, which examples do not.
  const filter = FILTER_FIELDS[guided.operation ?? ''];
  if (guided.asks !== undefined || (filter !== undefined && guided.input[filter] !== undefined)) return true;
  const { isRefused, about, lead, kind, understood, isUnread } = guided;
  const isTold =
    (kind === 'help' && understood !== '' && isUnread !== true) || lead !== undefined || about !== undefined;
  return isTold || isRefused === true || asked.isBack || asked.facts.message !== undefined;
}

/** True for a few words that the vocabulary does not know: the name of a customer or a line. */
function isName({ said, clauses }: Asked): boolean {
  const isShort = (said.match(/\p{L}+/gu) ?? []).length <= 2;
  return isShort && clauses.every(({ words }) => words.every(({ acts }) => acts.length === 0));
}

/** Words that turn an order around, and those that say how something is. */
const AGAINST =
  /\b(?:no|not|never|halt|stop|undo|without|instead|rather|keep|(?<!\b(?:data|sms|texts?|voice|calls?)[\s-])only|except|but)\b|n['’]t\b/i;
const STATED = /\b(?:is|are|was|were|has|have|will)\b/i;

/** True if a message may ask for a change: it does not only ask or report, and one that costs or destroys is plain. */
function isOrder({ clauses, said }: Asked, tool: Tool): boolean {
  if (clauses.some(isAskedOrReported)) return false;
  if (!isCostly(tool)) return true;
  const isForeign = clauses.some(({ words }) => words.some(({ things }) => things.some((one) => FOREIGN.has(one))));
  return !isForeign && !AGAINST.test(said) && !STATED.test(said);
}

/** True for a participle that says which record is meant: "revive the parked 0106". */
function isAttribute(text: string, participle: string): boolean {
  return new RegExp(`\\b(?:the|this|that|a|an|my|our|her|his|their)\\s+${participle}\\b`, 'i').test(text);
}

/** True for a part of a message that asks what is so, tells what was done, or speaks against something. */
function isAskedOrReported({ text, isAsked, words }: Clause): boolean {
  return (
    (isQuestion(text, isAsked) && !isPolite(text)) ||
    isReport(text) ||
    words.some(({ isNegated, acts }) => acts.length > 0 && isNegated) ||
    words.some(({ isPast, acts, typed }) => acts.length > 0 && isPast && !isAttribute(text, typed))
  );
}

function isCostly({ risk }: Tool): boolean {
  return risk === 'spend' || risk === 'destroy';
}

/** The family of an operation that was meant: that of the rules if they have it, otherwise one without words. */
function fitOf(
  { operation, kind }: Meant,
  { clauses }: Asked,
  toolOf: (id: string) => Tool | undefined,
): Fit | undefined {
  const isSwap = operation === 'swap_sim';
  const tool = toolOf(isSwap ? 'numbers_update' : operation);
  if (!tool) return undefined;
  // Other kinds of status change need more than their name.
  if (tool.id === 'numbers_status' && kind !== 'park' && kind !== 'activate') return undefined;
  const isKind = ({ given, guide }: Fit['family']) =>
    isSwap
      ? guide === 'swap_sim'
      : kind === undefined || given?.StatusChange === kind || given?.StatusChange === undefined;
  const own = clauses.flatMap(({ fits }) => fits).find((fit) => fit.tool === tool && isKind(fit.family));
  if (own) return { ...own, isDoubtful: false };
  const ofTool = families.filter(
    (family) => family.operation === tool.id && isKind(family) && (isSwap || kind !== undefined),
  );
  const known = ofTool.find(({ given }) => given?.StatusChange === kind) ?? ofTool[0];
  const family = known ?? { operation: tool.id, acts: '', things: '' };
  return { family, tool, score: 1, asking: [], isDoubtful: false };
}
