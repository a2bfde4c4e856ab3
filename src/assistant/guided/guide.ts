import { groups } from '../../../tools/groups.ts';
import { eventOperations } from '../../../tools/surfaces/events.ts';
import { notCancellable } from '../../../tools/surfaces/synonyms.ts';
import type { Field } from '../../catalogue/field-types.ts';
import { fieldsOf } from '../../catalogue/fields.ts';
import { isGated, type Tool } from '../../catalogue/operation.ts';
import { type Lookup, lookups } from '../../language/lookup.ts';
import { type Fit, MAKES_NUMBER, Phrases, type Word } from '../../language/phrases.ts';
import { fitsId } from '../../language/typed-values.ts';
import { defined, type Fields } from '../../lib/json.ts';
import type { GuidedAnswer } from './answer.ts';
import { type Facts, readFacts } from './facts.ts';
import { filled, isComplete, takesNumbers, withDigits } from './fill.ts';
import { type Since, sinceIn } from './since.ts';
import { isAboutIt, isNegated } from './stance.ts';

export interface GuideOptions {
  tools: readonly Tool[];
  now: () => number;
}

interface Clause {
  text: string;
  /** True if a question mark ends it. */
  isAsked: boolean;
  words: readonly Word[];
  fits: readonly Fit[];
}

const SMALL_TALK =
  /^(?:hi|hello|hey|help|thanks?|thank\s+you|ok|okay|yes|yep|no|nope|test|ping|do it|go ahead|approved?|confirm(?:ed)?|good\s+\w+|what can you do)\b[\s\w!.,?']{0,24}$/i;
const YES = /^(?:yes|yep|yeah|do it|go ahead|approved?|confirm(?:ed)?|ok(?:ay)?)\b/i;
const MAX_NAME_WORDS = 3;
const LAST_DAY: Since = { value: '24h', text: 'the last 24h' };
const HAPPENS = /\bhappens?\s+(?:if|when)\b/i;

/**
 * The answer of the catalogue to plain words, without a model. It performs nothing, and takes a sentence for a change
 * only if the sentence asks for it.
 */
export class Guide {
  readonly #options: GuideOptions;
  readonly #phrases: Phrases;
  readonly #lookup: Lookup | undefined;

  constructor(options: GuideOptions) {
    this.#options = options;
    this.#phrases = new Phrases(options.tools);
    [this.#lookup] = lookups(options.tools, groups);
  }

  /**
   * @param mayUse the operations that the writer may ask for; all if left out
   * @param zone IANA time zone of the writer; UTC if left out
   */
  answer(text: string, mayUse: (id: string) => boolean = () => true, zone?: string): GuidedAnswer {
    const since = sinceIn(text, this.#options.now(), zone);
    const allowed = this.#answer(text, mayUse, since);
    const wanted = this.#answer(text, () => true, since);
    const tool = this.#tool(wanted.operation ?? '');
    const isChange = wanted.kind === 'form' || wanted.kind === 'question';
    if (!tool || !isChange || mayUse(tool.id)) return allowed;
    const why = `"${tool.title}" is not available to you. Nothing was done.`;
    return { ...allowed, understood: `${why} ${allowed.understood}`.trim() };
  }

  #answer(text: string, mayUse: (id: string) => boolean, since: Since | undefined): GuidedAnswer {
    const said = text.trim();
    if (SMALL_TALK.test(said))
      return help(YES.test(said) ? 'Only the button of a question confirms it; words do not' : undefined);
    const facts = readFacts(said);
    const sees = (id: string) => mayUse(id) && !(facts.numbers.length > 0 && MAKES_NUMBER.has(id));
    const clauses = this.#clauses(facts.rest, sees);
    const changes = clauses.flatMap((clause) => this.#changesIn(clause, sees));
    const wanted = changes.filter(({ clause, fit }) => !isNegated(clause.words, fit.phrase));
    if (new Set(wanted.map(({ fit }) => fit.tool.id)).size > 1) return several(wanted.map(({ fit }) => fit.tool));
    const [change] = wanted.length > 0 ? wanted : changes;
    if (change) return this.#change(change.clause, change.fit, { facts, said, clauses });
    const read = clauses
      .map(({ fits }) => fits[0])
      .sort((a, b) => (b?.phrase.length ?? 0) - (a?.phrase.length ?? 0))[0];
    return this.#read(read, { facts, clauses, since });
  }

  /** The answer once the number is known that its `find` looked for. A record of the customer is left as their name. */
  withNumber(guided: GuidedAnswer, number: string): GuidedAnswer {
    const tool = this.#tool(guided.operation ?? '');
    if (!tool) return guided;
    const { find, ...rest } = guided;
    const missing = missingOf(tool, guided.input);
    // The number of a person is no value for the other numbers of an operation that needs the person.
    const input =
      missing?.kind === 'id'
        ? { ...guided.input, [missing.name]: Object.values(find?.input ?? {})[0] ?? number }
        : filled(tool, { ...readFacts(''), numbers: [number] }, guided.input);
    const isAsked = isGated(tool) && isComplete(tool, input);
    return { ...rest, input, kind: isAsked ? 'question' : guided.kind, understood: `${understood(tool, input)}.` };
  }

  #clauses(rest: string, sees: (id: string) => boolean): Clause[] {
    const ends = (text: string) => rest.slice(rest.indexOf(text) + text.length).trimStart();
    const texts = rest
      .split(/[,;.!?]+(?:\s|$)|\n+|\s+(?:but|so|then|because|since\s+(?=he|she|they|we|it))\s+|\s+-+\s+/i)
      .filter((text) => text.trim() !== '');
    return texts.map((text) => {
      const words = this.#phrases.words(text);
      return { text, isAsked: ends(text).startsWith('?'), words, fits: this.#phrases.fits(words, sees) };
    });
  }

  /** The changes that a clause names: one, or one in each part that "and" joins. */
  #changesIn(clause: Clause, sees: (id: string) => boolean): { clause: Clause; fit: Fit }[] {
    const best = (fits: readonly Fit[]) => {
      // "What happens if" asks about the change, not about events.
      const fit = HAPPENS.test(clause.text) ? fits.find(({ tool }) => tool.id !== eventOperations.since) : fits[0];
      return fit && fit.tool.risk !== 'read' ? fit : undefined;
    };
    const whole = best(clause.fits);
    if (!whole) return [];
    const parts = clause.text
      .split(/\s+and\s+/i)
      .map((part) => best(this.#phrases.fits(this.#phrases.words(part), sees)));
    const others = parts.filter((fit): fit is Fit => fit !== undefined && fit.tool.id !== whole.tool.id);
    return [whole, ...(parts.includes(undefined) ? [] : others)].map((fit) => ({ clause, fit }));
  }

  /** A sentence with a phrase for a change: the change's form or question, unless it asks about it or against it. */
  #change(
    clause: Clause,
    fit: Fit,
    { facts, said, clauses }: { facts: Facts; said: string; clauses: readonly Clause[] },
  ): GuidedAnswer {
    const { tool } = fit;
    const title = `"${tool.title}"`;
    if (isNegated(clause.words, fit.phrase)) return this.#instead(facts, clauses, `You said not to: ${title}`);
    if (isAboutIt(said, clause.text, clause.isAsked))
      return this.#instead(facts, clauses, `You asked about ${title}`, tool);
    if (tool.id.endsWith('_cancel') && clause.words.some(({ typed }) => notCancellable.includes(typed.toLowerCase())))
      return help(`Nothing fits "${clause.text.trim()}"`);
    if (!facts.isOneList) return this.#withoutNumbers(fit, facts);
    const given = filled(tool, facts, fit.given);
    const input = facts.numbers.length > 0 ? given : withDigits(tool, allDigits(clauses), given);
    const find =
      fit.guide !== undefined && facts.numbers.length === 0
        ? this.#find(facts, clauses)
        : this.#findFor(tool, input, facts, clauses);
    const kind = isGated(tool) && isComplete(tool, input) ? 'question' : 'form';
    const { guide } = fit;
    return { ...answer(kind, { tool, input, understood: understood(tool, input, find) }, find), ...defined({ guide }) };
  }

  /** A change of a sentence that names numbers in more than one role: the form asks which are meant. */
  #withoutNumbers({ tool, given, guide }: Fit, facts: Facts): GuidedAnswer {
    const input = filled(tool, { ...facts, numbers: [] }, given);
    const text = `${understood(tool, input)}. Which of the numbers are meant is unclear, so none is filled in`;
    return { ...answer('form', { tool, input, understood: text }), ...defined({ guide }) };
  }

  /** The events, an operation that reads, or the lookup of a number, a name or an id. */
  #read(
    fit: Fit | undefined,
    { facts, clauses, since }: { facts: Facts; clauses: readonly Clause[]; since: Since | undefined },
  ): GuidedAnswer {
    if (fit && fit.tool.id === eventOperations.since) return this.#events(fit.tool, facts, since);
    const events = this.#tool(eventOperations.since);
    if (!fit && since !== undefined && events && facts.ids.length === 0) return this.#events(events, facts, since);
    if (!fit) return this.#plainLookup(facts, clauses);
    const input = filled(fit.tool, facts, { ...fit.given, ...aboutOf(fit, clauses) });
    // A list of everything is no answer about one number, one id or one person.
    const isList = Object.keys(input).length === 0;
    if (isList && (facts.numbers.length > 0 || facts.ids.length > 0)) return this.#plainLookup(facts, clauses);
    if (fit.tool.id === this.#lookup?.find?.tool.id || (isList && !takesArea(fit.tool) && this.#find(facts, clauses)))
      return this.#plainLookup(facts, clauses);
    if (isComplete(fit.tool, input))
      return answer('lookup', { tool: fit.tool, input, understood: understood(fit.tool, input) });
    const find = this.#findFor(fit.tool, input, facts, clauses);
    if (find) return answer('lookup', { tool: fit.tool, input, understood: understood(fit.tool, input, find) }, find);
    // A number says more than a phrase whose input is missing.
    if (facts.numbers.length > 0 || facts.ids.length > 0) return this.#plainLookup(facts, clauses);
    return answer('form', { tool: fit.tool, input, understood: understood(fit.tool, input) });
  }

  #events(tool: Tool, facts: Facts, { value, text }: Since = LAST_DAY): GuidedAnswer {
    const number = facts.numbers.length === 1 ? { PhoneNumber: facts.numbers[0] } : {};
    return answer('events', { tool, input: { Since: value, ...number }, understood: `What happened since ${text}` });
  }

  /** The record that the sentence names, without doing what it asks about. */
  #instead(facts: Facts, clauses: readonly Clause[], why: string, tool?: Tool): GuidedAnswer {
    const lookup = this.#plainLookup(facts, clauses);
    const text = `${why}. Nothing was done`;
    if (tool || lookup.kind === 'help') return { ...help(text), operation: tool?.id };
    return { ...lookup, understood: `${text}. ${lookup.understood}` };
  }

  #plainLookup(facts: Facts, clauses: readonly Clause[]): GuidedAnswer {
    const lookup = this.#lookup;
    const [number, ...others] = facts.numbers;
    if (lookup && number !== undefined) {
      const more = others.length === 0 ? '' : `, the first of ${facts.numbers.length} numbers`;
      return answer('lookup', {
        tool: lookup.tool,
        input: { [lookup.field]: number },
        understood: `Look up ${number}${more}`,
      });
    }
    const byId = facts.ids.map((id) => this.#readOf(id)).find((one) => one !== undefined);
    if (byId) return answer('lookup', { ...byId, understood: understood(byId.tool, byId.input) });
    const find = this.#find(facts, clauses);
    return find
      ? answer('lookup', { ...find, understood: found(find.input) })
      : help('That names no number, no customer and nothing that can be done');
  }

  /** The read whose only required field takes this id. */
  #readOf(id: string): { tool: Tool; input: Fields } | undefined {
    for (const tool of this.#options.tools) {
      const required = fieldsOf(tool).filter((field) => field.required);
      const [field] = required;
      if (tool.risk === 'read' && field && required.length === 1 && field.kind === 'id' && fitsId(field, id))
        return { tool, input: { [field.name]: id } };
    }
    return undefined;
  }

  /** A read that finds the number of a person whom the words name, if the operation needs a number or a person. */
  #findFor(tool: Tool, input: Fields, facts: Facts, clauses: readonly Clause[]) {
    const missing = missingOf(tool, input);
    // "From 0104" names no receiver.
    const isReceiver = missing && takesNumbers(missing) && !clauses.some(({ text }) => /\bfrom\b/i.test(text));
    const isPerson = missing && (/number|phone|subscriber/i.test(missing.name) || missing.kind === 'phone');
    if (!(isPerson || isReceiver) || facts.numbers.length > 0) return undefined;
    return this.#find(facts, clauses, missing.name === RECEIVER ? [...BEFORE_NAME, 'to'] : BEFORE_NAME);
  }

  /** Finds by last digits or by a name: words that neither the catalogue nor everyday English has. */
  #find(
    { digits, ids }: Facts,
    clauses: readonly Clause[],
    before = BEFORE_NAME,
  ): { tool: Tool; input: Fields } | undefined {
    const find = this.#lookup?.find;
    if (!find || ids.length > 0) return undefined;
    const name = clauses.map(({ words }) => nameIn(words, before)).find((one) => one !== undefined);
    const bare = bareDigits(clauses);
    const query = digits ?? (bare !== undefined && bare.length > 3 ? bare : (name ?? bare));
    return query === undefined ? undefined : { tool: find.tool, input: { [find.field]: query } };
  }

  #tool(id: string): Tool | undefined {
    return this.#options.tools.find((tool) => tool.id === id);
  }
}

function answer(
  kind: GuidedAnswer['kind'],
  { tool, input, understood: text }: { tool: Tool; input: Fields; understood: string },
  find?: { tool: Tool; input: Fields },
): GuidedAnswer {
  const whole = { kind, operation: tool.id, input, understood: `${text}.` };
  return find ? { ...whole, find: { operation: find.tool.id, input: find.input } } : whole;
}

/** Several changes in one message: none is started, because the order may matter. */
function several(tools: readonly Tool[]): GuidedAnswer {
  const titles = [...new Set(tools.map(({ title }) => title))];
  return help(`You asked for several changes (${titles.join('; ')}). Send them one by one`);
}

function help(why: string | undefined): GuidedAnswer {
  return { kind: 'help', operation: undefined, input: {}, understood: why === undefined ? '' : `${why}.` };
}

function missingOf(tool: Tool, input: Fields): Field | undefined {
  return fieldsOf(tool).find((field) => field.required && input[field.name] === undefined);
}

/** Names the operation and the values that are missing. */
function understood(tool: Tool, input: Fields, find?: { input: Fields }): string {
  const fields = fieldsOf(tool);
  const missing = fields.filter((field) => field.required && input[field.name] === undefined).map(({ label }) => label);
  const isMissing = missing.length > 0 && tool.risk !== 'read';
  const who = find ? `; ${found(find.input).replace(/^F/, 'f')} first` : '';
  return `${tool.title}${isMissing ? `; still needed: ${missing.join(', ')}` : ''}${who}`;
}

function found(input: Fields): string {
  return `Find numbers by "${String(Object.values(input)[0])}"`;
}

/** Maximum number of words of a message that is only a name, perhaps in lower case. */
const SHORT = 4;
/** Words before a name in lower case. */
const BEFORE_NAME: readonly string[] =
  'for of by called named about customer subscriber user client find up who does can cannot did has'.split(' ');
/** The field of a message's receivers. "To" is before a name only in a request to send something. */
const RECEIVER = 'To';

/**
 * The first words in a row that may be a name: with a capital letter, in a short text, or after a word such as "for". An
 * unknown word elsewhere is no name.
 */
function nameIn(words: readonly Word[], before: readonly string[]): string | undefined {
  const isName = ({ typed, isUnknown }: Word, at: number) =>
    isUnknown &&
    (/^\p{Lu}/u.test(typed) ||
      /['’]s$/.test(typed) ||
      words.length <= SHORT ||
      before.includes(words[at - 1]?.typed.toLowerCase() ?? ''));
  const start = words.findIndex(isName);
  if (start < 0) return undefined;
  const rest = words.slice(start);
  const end = rest.findIndex(({ isUnknown }) => !isUnknown);
  const name = rest.slice(0, end < 0 ? MAX_NAME_WORDS : Math.min(end, MAX_NAME_WORDS));
  return name.map(({ typed }) => typed.replace(/['’]s$/, '')).join(' ');
}

/** True if three digits in a sentence about the operation may be an area code. */
function takesArea(tool: Tool): boolean {
  return fieldsOf(tool).some(({ name }) => name === 'AreaCode');
}

/** Digits alone, as in "0103". */
function bareDigits(clauses: readonly Clause[]): string | undefined {
  for (const { text } of clauses) {
    const [, digits] = /(?:^|\s)[#…*]*(\d{3,7})(?:'s)?(?=\s|$)/.exec(text) ?? [];
    if (digits !== undefined) return digits;
  }
  return undefined;
}

/** The last digits of several numbers: "0101 and 0102". */
function allDigits(clauses: readonly Clause[]): string[] {
  return clauses.flatMap(({ text }) =>
    [...text.matchAll(/(?<=^|\s)[#…*]*(\d{4})(?=\s|$)/g)].map(([, digits = '']) => digits),
  );
}

/** The service that a diagnosis is about. */
function aboutOf({ tool }: Fit, clauses: readonly Clause[]): Fields {
  const field = fieldsOf(tool).find(({ name }) => name === 'About');
  if (!field) return {};
  const means = clauses.flatMap(({ words }) => words.flatMap((word) => word.means));
  const about = field.choices?.find((choice) => means.includes(choice.replace(/s$/, '')));
  return about === undefined ? {} : { About: about };
}
