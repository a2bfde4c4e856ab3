import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { type Word, wordsOf } from '../../../language/sentence.ts';
import { fitsId, type Lookup } from '../../../language/typed-values.ts';
import { isEveryday, words } from '../../../language/vocabulary.ts';
import type { Fields } from '../../../lib/json.ts';
import { jsonText } from '../../../lib/text.ts';
import type { Facts } from '../facts/facts.ts';
import { peopleIn } from '../facts/names.ts';
import { type Asked, bareDigits, type Clause } from '../facts/stance.ts';
import { unmarked } from '../facts/times.ts';
import { namesIn } from '../facts/unknown-names.ts';
import { answer, found, type GuidedAnswer, help, missingOf, understood } from './answer.ts';
import { takesNumbers } from './fill.ts';
import { callersRead, filtersOf } from './filters.ts';

/** Words after which a name in lower case may be. */
const AFTER_SMALL =
  /\b(?:with|between|on|about|regarding|to|at|from|for|of|send|sent|tell|told|text|texted|message|messaged|wrote|write|did|has|have|does|is|are|was|by)\s+(?:the\s+)?(\p{L}{2,})(?=['’]s\b|\b)/giu;

const BEFORE_DONE = /\b(\p{L}{2,})\s+(?:received|got|gets|sent|wrote|texted|called|asked|said|answered|replied)\b/giu;

/** The first unknown word that may be a name, although it is in lower case. For sentences that ask for nothing to be done. */
export function looseName({ rest }: Facts): string | undefined {
  const text = unmarked(rest);
  const names = [AFTER_SMALL, BEFORE_DONE].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, name = '']) => name),
  );
  return names.find((one) => wordsOf(one).every(({ isUnknown }) => isUnknown));
}

const NEW_CUSTOMER = 'subscribers_create';
/** Words of a sentence that only asks for a record: "find ben reed's line please". */
const ASKS_FOR = words('find show number subscriber person count need');

/** Says that a search by words of a sentence found nothing, which is no answer to the sentence. */
export function unreadText(query: string): string {
  return `What to do was not understood, and “${query}” is no number, customer or account here. Nothing was done`;
}

/** The search, marked as a guess if the sentence has other words than those that ask for what it names. */
export function guessed(guided: GuidedAnswer, { said, facts }: Pick<Asked, 'said' | 'facts'>): GuidedAnswer {
  const { operation, input, kind } = guided;
  const query = operation === 'numbers_find' && kind === 'lookup' ? input.Query : undefined;
  // Last digits name a line, beside any other words.
  if (typeof query !== 'string' || /^\d{4,}$/.test(query) || facts.mentions.length > 0) return guided;
  const named = query.toLowerCase().split(' ');
  const others = wordsOf(said).filter(({ plain }) => !named.includes(plain));
  const isAsking = ({ plain, acts, things }: Word) =>
    (acts.length + things.length === 0 && isEveryday(plain)) ||
    (acts.length + things.length > 0 && [...acts, ...things].every((one) => ASKS_FOR.has(one)));
  const isMore = others.some((word) => !isAsking(word)) || /\d{3}|\S@\S/.test(said.replace(query, ' '));
  if (!isMore) return guided;
  // A whole name and its e-mail address may be those of a new customer.
  const isPerson = facts.email !== undefined && /^\p{Lu}\S+ \p{Lu}/u.test(query);
  const made = { Name: query, Email: facts.email };
  return { ...guided, isGuess: true, ...(isPerson && { nearest: [{ operation: NEW_CUSTOMER, input: made }] }) };
}

/** The name in a sentence that only asks: a person's, or unknown words after "at", "did" and the like, or last in it. */
export function nameIn(facts: Facts, clauses: readonly Clause[]): string | undefined {
  const [person] = peopleIn(...clauses.map(({ words }) => words));
  if (person?.includes(' ')) return person;
  const names = namesIn(facts);
  const known = person ?? looseName(facts);
  return wholeName(known, names) ?? names[0];
}

/** The run of unknown words that has this name in it: "ava stone" for "ava". */
function wholeName(known: string | undefined, names: readonly string[]): string | undefined {
  const [first = ''] = known?.split(' ') ?? [];
  return names.find((name) => name.split(' ').includes(first)) ?? known;
}

/** Finds the record that a sentence names. */
export class Finder {
  readonly #tools: readonly Tool[];
  readonly #lookup: Lookup | undefined;

  constructor(tools: readonly Tool[], lookup: Lookup | undefined) {
    this.#tools = tools;
    this.#lookup = lookup;
  }

  /**
   * The record that a sentence names: a number, an id, or a person.
   *
   * @param isLoose true if a name in lower case may follow a word such as "on"
   */
  plainLookup(facts: Facts, clauses: readonly Clause[], isLoose = false): GuidedAnswer {
    const lookup = this.#lookup;
    const [person] = peopleIn(...clauses.map(({ words }) => words));
    const callers = callersRead(facts, person);
    const filters = callers && this.#tools.find(({ id }) => id === callers.operation);
    if (filters) return filtersOf(filters, callers);
    // The SIM of a line names it, if no number does.
    const bySim = facts.mentions.length === 0 ? facts.iccid : undefined;
    const sim = bySim === undefined ? undefined : this.#tools.find(({ id }) => id === 'numbers_get');
    if (sim)
      return answer('lookup', {
        tool: sim,
        input: { ICCID: bySim },
        understood: `Find the line of the SIM ${bySim}; if none of ours has it, it is not found`,
      });
    const several = this.severalLines(facts);
    if (several) return several;
    const [number, ...others] = facts.numbers;
    if (lookup && number !== undefined) {
      const more =
        others.length === 0 ? '' : `, the first of ${facts.numbers.length} numbers: also ${others.join(', ')}`;
      return answer('lookup', {
        tool: lookup.tool,
        input: { [lookup.field]: number },
        understood: `Look up ${number}${more}`,
      });
    }
    const byId = facts.ids.map((id) => this.#readOf(id)).find((one) => one !== undefined);
    if (byId) return answer('lookup', { ...byId, understood: understood(byId.tool, byId.input) });
    const find = isLoose ? this.findAnyone(facts, clauses) : this.find(facts, clauses);
    return find
      ? answer('lookup', { ...find, understood: found(find.input) })
      : { ...help('That names no number, no customer and nothing that can be done'), isUnread: true as const };
  }

  /** The list of the lines that a sentence names, where last digits are among them. Undefined for one line. */
  severalLines({ mentions, numbers, isOneList, rest }: Facts): GuidedAnswer | undefined {
    const find = this.#lookup?.find;
    const named = [...new Set(mentions.map(({ text }) => text))];
    if (!find || !isOneList || named.length < 2 || numbers.length === named.length) return undefined;
    const isData = /\b(?:data|usage|gb|mb)\b/i.test(rest);
    const input = { [find.field]: named.join(', '), ...(isData && { Data: true }) };
    return { ...answer('lookup', { tool: find.tool, input, understood: found(input) }), isList: true };
  }

  /** The read whose only required field takes this id. */
  #readOf(id: string): { tool: Tool; input: Fields } | undefined {
    for (const tool of this.#tools) {
      const required = fieldsOf(tool).filter((field) => field.required);
      const [field] = required;
      if (tool.risk === 'read' && field && required.length === 1 && field.kind === 'id' && fitsId(field, id))
        return { tool, input: { [field.name]: id } };
    }
    return undefined;
  }

  /** A read that finds the number of a person whom the words name, if the operation needs a number or a person. */
  findFor(tool: Tool, input: Fields, facts: Facts, clauses: readonly Clause[], isLoose = false) {
    const missing = missingOf(tool, input);
    // "From 0104" names no receiver.
    const isReceiver = missing && takesNumbers(missing) && !clauses.some(({ text }) => /\bfrom\b/i.test(text));
    const isPerson = missing && (/number|phone|subscriber/i.test(missing.name) || missing.kind === 'phone');
    if (!(isPerson || isReceiver) || facts.numbers.length > 0) return undefined;
    // The id of a route or a plan is none of the line.
    const ids = facts.ids.filter((id) => !jsonText(input).includes(id));
    const found = isLoose ? this.findAnyone({ ...facts, ids }, clauses) : this.find({ ...facts, ids }, clauses);
    // A value that is in a field already is not a second number.
    const isTaken = (query: unknown) => jsonText(input).includes(jsonText(query));
    return found && Object.values(found.input).some(isTaken) ? undefined : found;
  }

  /**
   * Finds as `find` does, and by any other unknown word after one such as "with", because questions about events have
   * few other words.
   */
  findAnyone(facts: Facts, clauses: readonly Clause[]): { tool: Tool; input: Fields } | undefined {
    const find = this.#lookup?.find;
    const found = this.find(facts, clauses);
    if (found || !find || facts.ids.length > 0) return found;
    const name = wholeName(looseName(facts), namesIn(facts));
    return name === undefined ? undefined : { tool: find.tool, input: { [find.field]: name } };
  }

  /** Finds by last digits, an e-mail address, or a name: words that neither the catalogue nor everyday English has. */
  find({ digits, ids, email }: Facts, clauses: readonly Clause[]): { tool: Tool; input: Fields } | undefined {
    const find = this.#lookup?.find;
    if (!find || ids.length > 0) return undefined;
    const [name] = peopleIn(...clauses.map(({ words }) => words));
    const bare = bareDigits(clauses);
    const query = digits ?? (bare !== undefined && bare.length > 3 ? bare : (name ?? bare ?? email));
    return query === undefined ? undefined : { tool: find.tool, input: { [find.field]: query } };
  }
}
