import type { Field } from '../catalogue/field-types.ts';
import type { Tool } from '../catalogue/operation.ts';
import type { Fields } from '../lib/json.ts';
import { Classifier } from './classifier.ts';
import {
  type Before,
  choiceFeatures,
  intentFeatures,
  slotFeatures,
  stanceFeatures,
  threadFeatures,
} from './features.ts';
import { type Example, type Learned, learn, randomNumbers } from './learn.ts';
import { labelsOf, operationOf, type Row, TOPICS, threadLabel } from './rows.ts';
import { OPEN, OUTSIDE } from './slots.ts';
import { type Token, tokensOf, type Vocabulary } from './tokens.ts';
import { fieldValue, isList, QUERY, slotsOf, takes } from './values.ts';

/*
 * Teaches the reader: makes examples for each classifier from the rows, and learns them. Runs at build time and depends
 * on its arguments alone.
 */

/** Everything that is learned. `model-file.ts` stores it. */
export interface Taught {
  names: readonly string[];
  common: readonly string[];
  /** `intent`, `stance`, `thread`, `slot`, and `choice:FIELD` for each field with choices. */
  classifiers: Readonly<Record<string, Learned>>;
}

export interface Lesson {
  rows: readonly Row[];
  names: readonly string[];
  tools: readonly Tool[];
  /** The present of the rows, in milliseconds since the epoch, and their time zone: days in them are read from it. */
  now: number;
  zone: string;
  /** The order in which examples are learned depends on it. */
  seed: number;
}

/** A word is common if it stands in rows of so many operations, and in the title of none. */
const COMMON_OPERATIONS = 15;
/** Rows of tables are closer to what people write than examples. */
const TABLE_WEIGHT = 2;
/** The part of the words of a slot that is hidden, so that a slot is learned from what stands around it too. */
const HIDDEN_PART = 0.7;
/** A value of a choice in fewer rows is not learned. */
const LEAST_OF_CHOICE = 3;

export function teach(lesson: Lesson): Taught {
  const lessons = new Teacher(lesson);
  const intent = lessons.intent();
  return {
    names: lesson.names,
    common: lessons.common,
    classifiers: {
      intent,
      stance: lessons.stance(),
      thread: lessons.thread(new Classifier(intent.labels, intent.bytes)),
      slot: lessons.slot(),
      ...lessons.choices(),
    },
  };
}

/** A row whose values were found in its sentence. */
interface Aligned {
  row: Row;
  operation: string;
  tokens: readonly Token[];
  /** The slot of each token: `B-` where a value begins, `I-` where it goes on. */
  slots: readonly string[];
  /** Values that stand in no word of their own. */
  loose: Fields;
}

class Teacher {
  readonly #lesson: Lesson;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #labels: readonly string[];
  readonly #vocabulary: Vocabulary;
  readonly #tokens = new Map<string, Token[]>();
  readonly #aligned: readonly Aligned[];
  readonly common: readonly string[];

  constructor(lesson: Lesson) {
    this.#lesson = lesson;
    this.#tools = new Map(lesson.tools.map((tool) => [tool.id, tool]));
    const means = lesson.rows.flatMap((row) => [row.means].flat()).filter((label) => label !== 'none');
    this.#labels = [...new Set([...TOPICS, ...means])].sort();
    const names = new Set(lesson.names);
    this.common = commonWords(lesson, names);
    this.#vocabulary = { names, common: new Set(this.common) };
    this.#aligned = lesson.rows.flatMap((row) => this.#align(row) ?? []);
  }

  #read(message: string): Token[] {
    const tokens = this.#tokens.get(message) ?? tokensOf(message, this.#lesson, this.#vocabulary);
    this.#tokens.set(message, tokens);
    return tokens;
  }

  intent(): Learned {
    const examples = this.#lesson.rows
      .filter(({ after }) => after === undefined)
      .map((row) => ({
        features: intentFeatures(this.#read(row.says)),
        labels: labelsOf(row, this.#labels),
        weight: isFromTable(row) ? TABLE_WEIGHT : 1,
      }));
    return learn(examples, { seed: this.#lesson.seed, step: 0.3, leastExamples: 3, leastWeight: 0.6 });
  }

  /** Orders are "do", questions "ask", and what is forbidden or taken back "no". */
  stance(): Learned {
    const own = this.#lesson.rows.flatMap((row) => {
      const labels = this.#stanceOf(row);
      return labels.length > 0 && !row.after ? [{ says: row.says, labels, weight: 1 }] : [];
    });
    const orders = this.#lesson.rows.filter((row) => !isFromTable(row) && this.#isOrder(row)).map(({ says }) => says);
    const made = Object.entries(FORMS).flatMap(([label, forms]) =>
      orders
        .filter((says) => !POLITE.test(says) && says.split(' ').length < MOST_WORDS)
        .flatMap((order, at) =>
          [0, 1].map((turn) => {
            const form = forms[(at * 5 + turn * 3 + 1) % forms.length] ?? '%';
            return { says: form.replace('%', () => order), labels: [label], weight: 0.5 };
          }),
        ),
    );
    const examples = [...own, ...made].map(({ says, ...rest }) => ({
      features: stanceFeatures(this.#read(says)),
      ...rest,
    }));
    return learn(examples, { seed: this.#lesson.seed, rounds: 6, leastExamples: 3, leastWeight: 0.45 });
  }

  #isOrder({ means }: Row): boolean {
    return [means].flat().every((label) => this.#isChange(label));
  }

  #isChange(label: string): boolean {
    const tool = this.#tools.get(operationOf(label));
    return tool !== undefined && tool.risk !== 'read';
  }

  #stanceOf(row: Row): string[] {
    const labels = [row.means].flat();
    if (labels.length === 1 && labels[0] === 'withdraw') return ['no'];
    if (this.#isOrder(row)) return ['do'];
    if (labels.some((label) => this.#isChange(label))) return [];
    // A change that must not be offered was asked about or forbidden.
    return row.never?.some((id) => this.#isChange(id)) ? ['ask', 'no'] : ['ask'];
  }

  /** A second classifier for messages that go on: it sees the thread, and what the first one makes of the message alone. */
  thread(intent: Classifier): Learned {
    const known = new Map(this.#lesson.rows.map((row) => [[...(row.after ?? []), row.says].join('\n'), row]));
    const labelOf = (messages: readonly string[]): string => {
      const row = known.get(messages.join('\n'));
      const label = row && labelsOf(row, this.#labels)[0];
      return label ?? intent.rank(intentFeatures(this.#read(messages.at(-1) ?? '')))[0]?.label ?? 'help';
    };
    const examples = this.#lesson.rows.flatMap((row): Example[] => {
      const { after } = row;
      if (!after) return [];
      const before = beforeOf(
        after.map((_, at) => labelOf(after.slice(0, at + 1))),
        (label) => this.#isChange(label),
      );
      const tokens = this.#read(row.says);
      const alone = intent.rank(intentFeatures(tokens));
      return [{ features: threadFeatures(tokens, before, alone), labels: labelsOf(row, this.#labels) }];
    });
    return learn(examples, { seed: this.#lesson.seed, rounds: 12, leastWeight: 0.4 });
  }

  slot(): Learned {
    const random = randomNumbers(this.#lesson.seed);
    const examples = this.#aligned.flatMap(({ operation, tokens, slots }) => {
      const shown = this.#slotExamples({ operation, tokens, slots });
      const hidden = tokens.map(({ kind }, at) => !kind && slots[at] !== OUTSIDE && random() < HIDDEN_PART);
      return hidden.includes(true) ? [...shown, ...this.#slotExamples({ operation, tokens, slots, hidden })] : shown;
    });
    return learn(examples, { seed: this.#lesson.seed, rounds: 5, leastExamples: 3, leastWeight: 0.7 });
  }

  #slotExamples(of: {
    operation: string;
    tokens: readonly Token[];
    slots: readonly string[];
    hidden?: boolean[];
  }): Example[] {
    const { operation, tokens, slots, hidden } = of;
    return tokens.flatMap(({ kind, isName }, at): Example[] => {
      const label = slots[at] ?? OUTSIDE;
      // Rows do not name every value, so that one without a slot says nothing.
      if (label === OUTSIDE && (kind || isName)) return [];
      const before = slots[at - 1] ?? OUTSIDE;
      const isHidden = (place: number) => hidden?.[place] === true;
      return [{ features: slotFeatures(tokens, at, { operation, before, isHidden }), labels: [label] }];
    });
  }

  choices(): Record<string, Learned> {
    const byField = new Map<string, Aligned[]>();
    for (const one of this.#aligned)
      for (const name of Object.keys(one.loose)) byField.set(name, [...(byField.get(name) ?? []), one]);
    const learned: Record<string, Learned> = {};
    for (const [name, rows] of [...byField].sort(([one], [other]) => (one < other ? -1 : 1))) {
      const textOf = ({ loose }: Aligned) => JSON.stringify(loose[name]);
      const counts = new Map<string, number>();
      for (const row of rows) counts.set(textOf(row), (counts.get(textOf(row)) ?? 0) + 1);
      const kept = rows.filter((row) => (counts.get(textOf(row)) ?? 0) >= LEAST_OF_CHOICE);
      if (kept.length === 0) continue;
      const operations = new Set(rows.map(({ operation }) => operation));
      const open = this.#aligned.filter(
        ({ operation, row }) => operations.has(operation) && row.fills?.[name] === undefined,
      );
      const features = ({ tokens, operation }: Aligned) => choiceFeatures(tokens, operation);
      learned[`choice:${name}`] = learn(
        [
          ...kept.map((row) => ({ features: features(row), labels: [textOf(row)] })),
          ...open.map((row) => ({ features: features(row), labels: [OPEN], weight: 0.7 })),
        ],
        { seed: this.#lesson.seed, rounds: 6, leastExamples: 3, leastWeight: 0.4 },
      );
    }
    return learned;
  }

  /** Finds the values of a row in its sentence. Undefined for a row of no operation. */
  #align(row: Row): Aligned | undefined {
    const operations = [row.means].flat().map(operationOf);
    const names = Object.keys(row.fills ?? {});
    const fits = (id: string) => names.some((name) => this.#tools.get(id)?.input.shape[name] !== undefined);
    const operation = operations.find(fits) ?? operations[0] ?? '';
    const tool = this.#tools.get(operation);
    if (!tool) return undefined;
    const fields = slotsOf(tool);
    const tokens = this.#read(row.says);
    const slots = tokens.map(() => OUTSIDE);
    const loose: Fields = {};
    for (const [slot, value] of Object.entries(flat(row.fills ?? {}))) {
      const field = fields.get(slot);
      if (!field && slot !== QUERY) continue;
      const parts = field && isList(field) ? [value].flat() : slot === QUERY ? String(value).split(', ') : [value];
      for (const part of parts) {
        const free = (at: number) => slots[at] === OUTSIDE;
        const at = tokens.findIndex(
          (token, place) =>
            free(place) &&
            token.kind &&
            takes(field, token) &&
            isSame(fieldValue(field, token, this.#lesson.now), part),
        );
        const words = tokensOf(String(part), this.#lesson, this.#vocabulary);
        const [from, to] = at >= 0 ? [at, at + 1] : spanOf(words, tokens, free);
        if (from >= 0)
          for (let place = from; place < to; place++) slots[place] = `${place === from ? 'B' : 'I'}-${slot}`;
        else if (field && isChoice(field)) loose[slot] = part;
      }
    }
    return { row, operation, tokens, slots, loose };
  }
}

/** True for a field that takes one of a few values. */
function isChoice({ kind, known }: Field): boolean {
  return kind === 'boolean' || kind === 'choice' || kind === 'choices' || known !== undefined;
}

function isFromTable({ from }: Row): boolean {
  return !from.startsWith('examples/');
}

/** The labels before a message: of the last answer, and of the change that is offered last. */
export function beforeOf(labels: readonly string[], isOffer: (label: string) => boolean): Before {
  const withdrawn = labels.lastIndexOf('withdraw');
  const [last, offer] = [labels.at(-1), labels.slice(withdrawn + 1).findLast(isOffer)];
  return { last: last && threadLabel(last), offer: offer && threadLabel(offer) };
}

/** Words of any topic: those that stand in rows of many operations, and in the title of none. */
function commonWords({ rows, tools, now, zone }: Lesson, names: ReadonlySet<string>): string[] {
  const titles = new Set(tools.flatMap(({ id, title }) => `${id} ${title}`.toLowerCase().split(/[^\p{L}]+/u)));
  const operations = new Map<string, Set<string>>();
  for (const row of rows) {
    for (const { word, raw, kind, isName } of tokensOf(row.says, { now, zone }, { names, common: new Set() })) {
      const isTopic = titles.has(word) || titles.has(word.replace(/s$/, '')) || titles.has(`${word}s`);
      if (kind || isName || isTopic || !/^\p{Ll}/u.test(raw)) continue;
      const own = operations.get(word) ?? new Set();
      operations.set(word, own.add(operationOf([row.means].flat()[0] ?? '')));
    }
  }
  return [...operations].flatMap(([word, { size }]) => (size >= COMMON_OPERATIONS ? [word] : [])).sort();
}

/** The members of groups beside the other fields, as slots. */
function flat(fills: Readonly<Record<string, unknown>>): Fields {
  const entries = Object.entries(fills).flatMap(([name, value]): [string, unknown][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([member, own]) => [`${name}.${member}`, own])
      : [[name, value]],
  );
  return Object.fromEntries(entries);
}

function isSame(one: unknown, other: unknown): boolean {
  return String(one).toLowerCase() === String(other).toLowerCase();
}

/** Where the words of a value stand among the tokens; -1 if nowhere. */
function spanOf(words: readonly Token[], tokens: readonly Token[], free: (at: number) => boolean): [number, number] {
  if (words.length === 0) return [-1, -1];
  const fits = (at: number) =>
    words.every(({ raw }, step) => free(at + step) && tokens[at + step]?.raw.toLowerCase() === raw.toLowerCase());
  const from = tokens.findIndex((_, at) => fits(at));
  return [from, from + words.length];
}

/** Orders that are no bare ones: a form around them would not be English. */
const POLITE = /\?|^(?:can|could|please|pls|i|we|he|she|let|hi|the|customer|is|not|don)\b|n't|n’t/i;
const MOST_WORDS = 12;
/** Ways to speak of an order: to forbid it or take it back, to ask or report, and to give it. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  no: forms(`don't % | do not % yet | please don't % for now | no need to % | let's not % | never % | dont % please
    | i didn't ask you to % | nobody said to % | hold off, don't % | he doesn't want us to % any more | please do not %
    | not sure we should % | we won't % after all | i wouldn't % | wait before you % | she said not to %
    | % - no, forget it | nope dont % | % but not yet | i was going to % but he changed his mind | % not today
    | they asked to %, but dont do it | %. hmm, better not | %, oops not that one | % - do not do anything yet
    | %... actually no | %, never mind | %, scratch that | ignore: % | unless she pays, % | until she pays, %
    | % if he signs | % only if she agrees | wait, don't % | stop, don't % | %. no wait, wrong line | %? no, leave it`),
  ask: forms(`should we %? | can i % later? | what happens if i % | did someone % | who asked to % | why did we %
    | when did we % | is it possible to % | how do i % | was it right to % | what does it cost to % | who may %
    | are we allowed to % | has anyone asked to % | do customers ever % | would it be ok to %? | is it safe to %
    | % failed | should i % | what if we % | do i need approval to %`),
  do: forms(`can you % | please % | pls % | could you % please | customer wants us to % | i need you to % | ok %
    | % now | % asap please | let's % | hi, % | go ahead and % | he asked to % | we have to % | %, she asked for it
    | %, customer changed his mind | % because she doesnt need it`),
};

function forms(text: string): string[] {
  return text.split('|').map((form) => form.trim());
}
