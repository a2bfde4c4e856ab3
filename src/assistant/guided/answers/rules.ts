import type { Family } from '../../../../tools/surfaces/families.ts';
import { type Rule, rules, written } from '../../../../tools/surfaces/rules.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { type Fields, isRecord } from '../../../lib/json.ts';
import type { Clause } from '../facts/stance.ts';

/* Questions about what a change does, what it costs, how long it takes, and whether it can be undone. */

export type { Rule };

/** A change in words, for a question about it. */
export interface About {
  /** "Reactivate a cancelled number" */
  title: string;
  /** Its price, consequence and undoing. No ids and no names of fields. */
  text: string;
}

const COST =
  /\bthe\s+damage\b|\bhow\s+much\b|\b(?:costs?|prices?|priced?|fees?|expensive|pricey|charge[sd]?|rates?(?![\s-]*limit)|for\s+free|free\s+of\s+charge|billed)\b|\b(?:do|would|will|must)\s+(?:we|i|you|they)\s+(?:have\s+to\s+)?pay\b|\b(?:is|are)\s+(?:it|that|this|they|\p{L}+ing(?:\s+[\p{L}\d]+){0,4}|(?:a|an|the)\s+[\p{L}\s-]{2,20}?)\s+free\b/iu;
/** Past charges are history, and used data is a reading. */
const NOT_COST =
  /\b(?:was|were|did|have|has|had|been|got)\b|\bspen[dt]\b|\bmuch\s+(?:data|is\s+left|of|mb|gb|time)\b|\b(?:usage|left|remaining|used|using|use)\b|\b(?:this|last)\s+(?:week|month|year)\b|\b(?:today|yesterday|overnight)\b/i;
/** A sentence that asks, although it may end without a question mark. */
const ASKING =
  /^\W*(?:(?:hi|hey|hello|ok|so|and|please|pls|quick|question|also|btw)[\s,:!-]+)*(?:what|wat|wots|whats|how|hows|is|are|does|do|can|could|will|would|when|which|until|up\s+to|why|if|any|explain|compare|costs?|prices?|fees?|charges?|the\s+(?:cost|price|fee)|(?:tell|give|show|remind)\s+me|(?:i|we)\s+(?:want|need|have)\s+to\s+know|difference)\b/i;
const DURATION =
  /\bhow\s+(?:fast|quick(?:ly)?|soon)\b|\bhow\s+(?:long|many\s+(?:business\s+)?days)\b(?!\s+(?:has|have|had|was|were|is|are)\b)|\bwhen\s+(?:will|does|is)\s+(?:a|an|the)\s+\p{L}+\s+(?:done|finish\w*|complete\w*|over|ready)\b/iu;
const DEADLINE =
  /\b(?:until|till|til|by|up\s+to)\s+when\b|\bwhat(?:['’]?s|\s+is)\s+the\s+deadline\b|\bhow\s+long\s+(?:do|can|have)\b/iu;
const EFFECT =
  /\bwhat(?:\s+\p{L}+)?\s+(?:does|do|will|would)\b.{1,60}\b(?:do|mean|change|cause|involve)\b|\bwhat\s+happens\b|\b(?:what|wat)(?:['’]?s|\s+is|\s+are|\s+does)\s+(?:an?\s+)?(?:\p{L}+\s+)?(?:parking|suspending|suspension|reactivation|cancell?ation|porting|swap|activation|throttl\w+|port(?:-|\s)?(?:in|out)|pause|park(?:ed)?)\b(?!\s+of\b)|\bexplain\b|\bdifferen(?:ce|t)\b|\bcompare\b/iu;
const DIFFERENCE = /\bdifferen(?:ce|t)\b|\bcompare\b|\b(?:versus|vs)\b/i;
const UNDOING =
  /\bhow\b[^.;!?]*\b(?:undo|reverse|revert|roll\s+back)\b|\b(?:can|could|is|are|possible)\b.*\b(?:undo|undone|reversible|reversed|reverted|refund(?:ed|able)?|taken\s+back|restored|recovered|reactivated|revived|brought\s+back|permanent|final|get\s+(?:it|them|that|\d+|number)\s+back)\b/iu;

const POSSIBLE = /\b(?:is|be|it['’]?s)\s+(?:(?:it|that|this)\s+)?(?:still\s+)?possible\b|\bstill\s+possible\b/iu;

/**
 * The change that a sentence asks about, or two that it compares; none for a sentence that asks for it, or for something
 * else.
 *
 * @param rest the sentence with a word in place of each value
 */
export function rulesAsked(rest: string, clauses: readonly Clause[]): Rule[] {
  if (!ASKING.test(rest) && !clauses.some(({ text, isAsked }) => isAsked || ASKING.test(text))) return [];
  const isCost = COST.test(rest) && !NOT_COST.test(rest);
  if (![DURATION, DEADLINE, EFFECT, UNDOING].some((pattern) => pattern.test(rest)) && !isCost) return [];
  const words = clauses.flatMap((clause) => clause.words);
  // The price of a package or a product is in its list.
  if (isCost && words.some(({ things }) => things.includes('product'))) return [];
  const isBack =
    /\b(?:get(?:ting|s)?|bring(?:ing|s)?|brought|com(?:es?|ing)|have|got)\b[^,.;!?]*\bback\b|\b(?:saved?|saving)\b/i.test(
      rest,
    ) ||
    (UNDOING.test(rest) && words.some(({ things }) => things.includes('cancelledlines')));
  const has = (list: string | undefined) => {
    const wanted = list?.split(' ');
    return (
      wanted === undefined ||
      (isBack && wanted.includes('reactivate')) ||
      words.some(({ acts, things, plain }) => [...acts, ...things, plain].some((one) => wanted.includes(one)))
    );
  };
  const fitting = rules.filter(({ means, also }) => has(means) && has(also));
  // "Brought back" brings no number of another carrier.
  const [found, ...others] = isBack ? [...fitting].sort((one, other) => backFirst(other) - backFirst(one)) : fitting;
  if (found?.means === 'number' && !isCost) return [];
  const second = DIFFERENCE.test(rest) ? others.find(({ means }) => means !== 'number') : undefined;
  return [found, second].filter((one) => one !== undefined);
}

/** "“Suspending” and “parking” are the same order": the words of one change that a question compares. Empty for others. */
export function sameOrder(rest: string, clauses: readonly Clause[], { means = '' }: Rule): string {
  const own = means.split(' ');
  const words = clauses.flatMap((clause) => clause.words).filter(({ acts }) => acts.some((act) => own.includes(act)));
  const [first, second] = new Set(words.map(({ typed }) => typed.toLowerCase()));
  if (!DIFFERENCE.test(rest) || first === undefined || second === undefined) return '';
  return `“${first}” and “${second}” are the same order here. `;
}

function backFirst({ operation }: Rule): number {
  return operation === 'numbers_reactivate' ? 1 : 0;
}

/** True for a question whose answer depends on the state of the number in it: "can I get 0109 back". */
export function dependsOnState(rest: string): boolean {
  return DEADLINE.test(rest) || UNDOING.test(rest) || POSSIBLE.test(rest);
}

/** True for "what does that cost", which does not say what. */
export function asksForThatCost(rest: string, clauses: readonly Clause[]): boolean {
  return (
    COST.test(rest) &&
    !NOT_COST.test(rest) &&
    /\b(?:that|it|this|they|those)\b/i.test(rest) &&
    clauses.every(({ words }) => words.every(({ acts, things }) => [...acts, ...things].every((one) => PLAIN.has(one))))
  );
}

/** The operations that words of a question about a price may mean. */
const PLAIN: ReadonlySet<string> = new Set(['spend', 'show', 'count', 'need']);

/** The rule of a change that is offered with this input. */
export function ruleOf({ id, title }: Tool, { StatusChange }: Fields): Rule {
  const isThis = ({ operation, given }: Rule) =>
    operation === id && (given?.StatusChange === undefined || given.StatusChange === StatusChange);
  return rules.find(isThis) ?? { operation: id, title, means: '' };
}

/** The name that people have for a change: "Park a number" for one kind of status change. */
export function titleIn(tool: Tool, family: Pick<Family, 'given' | 'guide'>): string {
  return ruleIn(tool, family).title;
}

/** The rule of a change that a family or an answer names. The guide of a SIM swap makes another operation. */
export function ruleIn(
  tool: Tool,
  { given = {}, guide }: { given?: Fields | undefined; guide?: string | undefined },
): Rule {
  const swap = guide === 'swap_sim' ? rules.find(({ means }) => means === 'sim') : undefined;
  return swap ?? ruleOf(tool, given);
}

/** Asks for advice about a change rather than about a line. */
export const IS_WISE = /\b(?:safe|wise|worth|ok|okay)\s+to\b/i;
const HOW = /\bhow\s+(?:(?:do|does|can|could|should|would|to|must)\b|you\b|i\b)/i;

/** Asks how something is, and not whether or how a change can be made. */
const HOW_IT_IS =
  /^\W*(?:(?:hi|hey|hello|ok|so|and|please|pls|also|btw)[\s,:!-]+)*(?:what(?:['’]?s)?|which|where(?:['’]?s)?|who(?:['’]?s)?|whose|how\s+(?:close|far|near|full|big|old|many|often|busy|high|low|is|are|was|were))\b/iu;

/** True for a question that no text about a change answers: it has no word of its price, its undoing or its consequence. */
export function asksSomethingElse(said: string): boolean {
  return (
    HOW_IT_IS.test(said) &&
    ![COST, DURATION, DEADLINE, EFFECT, UNDOING, POSSIBLE, HOW, IS_WISE, OUTCOME].some((pattern) => pattern.test(said))
  );
}

const OUTCOME =
  /\b(?:happens?|consequences?|affects?|effects?|needed|need|required?|requirements?|risks?|lose|lost|means?)\b/iu;

/** A change that a family names, for a question about it. A question of how it is done is answered with its words first. */
export function aboutChange(
  tool: Tool,
  { given = {}, guide, things }: Family,
  said: string,
  toolOf: (id: string) => Tool | undefined,
): About | undefined {
  const status = given.StatusChange ?? guide ?? (things.includes('cnam') ? 'cnam' : '');
  const words = written[`${tool.id} ${String(status)}`] ?? written[tool.id];
  // Example values of other operations would be shown as theirs.
  if (words === undefined) return undefined;
  const rule = ruleIn(tool, { given, guide });
  const about = aboutOf(rule, toolOf(rule.operation) ?? tool, toolOf);
  return HOW.test(said) ? { ...about, text: `Write: “${words}”. ${about.text}` } : about;
}

/** The words that ask for a change of a line, for a question of how it is done. Empty for other questions. */
export function wordsFor(tool: Tool, { given = {}, guide }: Family, said: string, line: string | undefined): string {
  const words = written[`${tool.id} ${String(given.StatusChange ?? guide ?? '')}`] ?? written[tool.id];
  if (words === undefined || !HOW.test(said)) return '';
  return `. To ask for it, write “${line === undefined ? words : words.replace(/\b0\d{3}\b/, line)}”`;
}

/** The text before a confirmation, as an answer to a question about the change. */
export function aboutOf(rule: Rule, tool: Tool, toolOf: (id: string) => Tool | undefined): About {
  const example = { ...(isRecord(tool.examples?.[0]) ? tool.examples[0] : {}), ...rule.given };
  const read = tool.input.safeParse(example);
  const consent = read.success ? tool.consent?.(read.data, {}, '') : undefined;
  const cost = rule.cost ?? consent?.cost;
  const does = rule.does ?? withoutDay(consent?.consequence ?? '');
  const parts = [
    cost === undefined ? 'No price for it is documented.' : `Cost: ${lower(cost)}.`,
    cost !== undefined && does.trim() === '' ? (consent?.consequence ?? '') : does,
    rule.more ?? '',
    consent === undefined ? '' : `Undo: ${consent.undo}`,
  ];
  return { title: rule.title, text: inWords(parts.filter((part) => part.trim() !== '').join(' '), toolOf) };
}

function withoutDay(consequence: string): string {
  return consequence.replace(/\s*\bEffective [^.]*\./, '');
}

function lower(text: string): string {
  return /^(?:[A-Z]\w* [A-Z]|USD)/.test(text) ? text : text.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase());
}

/** The text with titles in place of the ids of operations, and without the record of the example. */
function inWords(text: string, toolOf: (id: string) => Tool | undefined): string {
  return text
    .replace(/\b[a-z0-9]+(?:_[a-z0-9]+)+\b/g, (id) => {
      const tool = toolOf(id);
      return tool ? `“${tool.title}”` : id;
    })
    .replace(/[“"]Lakeside Wireless[”"]/g, 'the present carrier')
    .replace(/\s+[A-Z]{2,7}-[\w-]{6,}/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
