import { STEP_WORDS } from '../../tools/surfaces/conversation.ts';
import { fieldsOf } from '../catalogue/fields.ts';
import type { Tool } from '../catalogue/operation.ts';
import type { Failure } from '../lib/errors.ts';
import { type Fields, isRecord, textOf } from '../lib/json.ts';
import { isPlainValue } from '../platform/dialect/plain-values.ts';
import type { Step, TurnEvent } from './turn-events.ts';

const MAX_SUBJECT = 40;
/** Members of an answer that name the customer. */
const NAMES = ['SubscriberName', 'Name', 'CallerName'];

/** The steps of a turn, in plain words with their subjects. */
export class TurnSteps {
  readonly #emit: (event: TurnEvent) => void;
  readonly #nameOf: (value: string) => string | undefined;
  /** Names of numbers and ids that this turn has read. */
  readonly #names = new Map<string, string>();

  /** @param nameOf the name of a number or id, as far as the surface has learned it */
  constructor(emit: (event: TurnEvent) => void, nameOf: (value: string) => string | undefined) {
    this.#emit = emit;
    this.#nameOf = nameOf;
  }

  /** Shows a call while it runs. The functions that are returned show how it has ended. */
  begin(tool: Tool, input: Fields, id: string) {
    const show = (state: Step['state'], title: string) =>
      this.#emit({ kind: 'step', id, operation: tool.id, state, title });
    show('running', this.#title(tool, input, 0));
    return {
      /** @param isAlready true if nothing was sent, because it is so already */
      done: (value: Fields, isAlready: boolean) => {
        this.#learn(input, value);
        show('done', isAlready ? `Already so: ${this.subjectTitle(tool, input)}` : this.#title(tool, input, 1));
      },
      waits: (summary: string) => show('waits', `Waits for a person: ${summary}`),
      failed: (failure: Failure, isUnknown: boolean) => {
        // A call that the model made wrongly is corrected by itself.
        const isMistake = failure.code === 'invalid_input' || failure.code === 'forbidden_by_role';
        const state = isUnknown ? 'unknown' : isMistake ? 'skipped' : 'failed';
        show(state, `${failedWords(tool, failure, isUnknown)}: ${this.subjectTitle(tool, input)}`);
      },
    };
  }

  /** The operation's title with the name, number or id that the call is about. */
  subjectTitle(tool: Tool, input: Fields): string {
    const subject = this.#subject(tool, input);
    return subject === undefined ? tool.title : `${tool.title}: ${subject}`;
  }

  #title(tool: Tool, input: Fields, at: 0 | 1): string {
    const subject = this.#subject(tool, input);
    const own = STEP_WORDS[tool.id];
    if (own && subject !== undefined) return `${own[at]} ${subject}`;
    const verb = tool.risk === 'read' ? ['Reading', 'Read'][at] : ['Working on', 'Done'][at];
    const words = `${verb}: ${lower(tool.title)}`;
    return subject === undefined ? words : `${words}: ${subject}`;
  }

  /**
   * The first number or id of the input with its name. The words of a search are quoted, because anyone may have written
   * them.
   */
  #subject(tool: Tool, input: Fields): string | undefined {
    for (const { name, kind } of fieldsOf(tool)) {
      const value = firstOf(input[name]);
      if (kind === 'phone' || kind === 'id' || kind === 'list' || kind === 'rows') {
        if (value !== undefined && value.length <= MAX_SUBJECT && isPlainValue(value)) return this.#subjectOf(value);
      } else if (STEP_WORDS[tool.id] && value !== undefined && kind === 'text')
        return `“${value.replace(/[“”\n]/g, ' ').slice(0, MAX_SUBJECT)}”`;
    }
    return undefined;
  }

  #subjectOf(value: string): string {
    const name = this.#names.get(value) ?? this.#nameOf(value);
    return name === undefined || name === value || name.includes(value) ? (name ?? value) : `${name} (${value})`;
  }

  /** Learns whose number or record an answer is about. */
  #learn(input: Fields, value: Fields): void {
    const name = nameIn(value);
    if (name === undefined) return;
    for (const member of Object.values(input)) {
      const one = firstOf(member);
      if (one !== undefined && isPlainValue(one)) this.#names.set(one, name);
    }
  }
}

function failedWords(tool: Tool, { code }: Failure, isUnknown: boolean): string {
  if (isUnknown) return 'Outcome unknown';
  if (code === 'invalid_input') return 'Needs other details';
  if (code === 'not_found') return 'Not found';
  return tool.risk === 'read' ? 'Could not be read' : 'Not done';
}

/** The customer's name in an answer about one record. */
function nameIn(value: Fields): string | undefined {
  const { Subscriber } = value;
  const inner = isRecord(Subscriber) ? textOf(Subscriber.Name) : '';
  const own = inner || NAMES.map((name) => textOf(value[name])).find((name) => name !== '');
  return own === undefined || own === '' ? undefined : own.slice(0, MAX_SUBJECT);
}

/** The value of a field, or the first of its list. */
function firstOf(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const plain = isRecord(first) ? Object.values(first)[0] : first;
  return typeof plain === 'string' ? plain : undefined;
}

function lower(title: string): string {
  return /^[A-Z][a-z]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
}
