import { STEP_WORDS } from '../../tools/surfaces/conversation.ts';
import { fieldsOf } from '../catalogue/fields.ts';
import type { Tool } from '../catalogue/operation.ts';
import type { Failure } from '../lib/errors.ts';
import { type Fields, isRecord, textOf } from '../lib/json.ts';
import { isPlainValue } from '../platform/dialect/plain-values.ts';
import type { TurnEvent } from './turn-events.ts';

const MAX_SUBJECT = 40;
/** Members of an answer that name the customer. */
const NAMES = ['SubscriberName', 'Name', 'CallerName'];

export interface TurnStepsOptions {
  emit: (event: TurnEvent) => void;
  /** The name of a number or id, as far as the surface has learned it. */
  nameOf: (value: string) => string | undefined;
}

/** One call, as it is shown while it runs and when it has ended. */
export interface RunningStep {
  /** @param isAlready true if nothing was sent, because it is so already */
  done(value: Fields, isAlready?: boolean): void;
  waits(summary: string): void;
  failed(failure: Failure, isUnknown: boolean): void;
}

/** The steps of a turn, in plain words with their subjects. */
export class TurnSteps {
  readonly #options: TurnStepsOptions;
  /** Names of numbers and ids that this turn has read. */
  readonly #names = new Map<string, string>();

  constructor(options: TurnStepsOptions) {
    this.#options = options;
  }

  begin(tool: Tool, input: Fields, id: string): RunningStep {
    const { emit } = this.#options;
    const step = { kind: 'step', id, operation: tool.id } as const;
    emit({ ...step, state: 'running', title: this.#title(tool, input, 0) });
    return {
      done: (value, isAlready) => {
        this.#learn(input, value);
        const title = isAlready ? `Already so: ${this.subjectTitle(tool, input)}` : this.#title(tool, input, 1);
        emit({ ...step, state: 'done', title });
      },
      waits: (summary) => emit({ ...step, state: 'waits', title: `Waits for a person: ${summary}` }),
      failed: (failure, isUnknown) => {
        const state = isUnknown ? 'unknown' : isMistake(failure) ? 'skipped' : 'failed';
        emit({ ...step, state, title: `${failedWords(tool, failure, isUnknown)}: ${this.subjectTitle(tool, input)}` });
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
    const name = this.#names.get(value) ?? this.#options.nameOf(value);
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

/** True if the model called it wrongly, which it corrects by itself. */
function isMistake({ code }: Failure): boolean {
  return code === 'invalid_input' || code === 'forbidden_by_role';
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
