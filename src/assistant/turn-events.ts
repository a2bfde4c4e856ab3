import { STEP_WORDS } from '../../tools/surfaces/conversation.ts';
import { fieldsOf } from '../catalogue/input.ts';
import type { Tool } from '../catalogue/operation.ts';
import type { Decider } from '../gate/approval.ts';
import type { Confirmation } from '../gate/confirmation.ts';
import type { GivenFile } from '../language/assistants/offer.ts';
import type { Done } from '../language/outcome.ts';
import type { Actor } from '../lib/actor.ts';
import type { Failure } from '../lib/errors.ts';
import { type Metric, perLabel } from '../lib/http.ts';
import { type Fields, isRecord, lowerFirst, recordOf, textOf } from '../lib/values.ts';
import type { Understood } from '../nlu/reader.ts';
import { isPlainValue } from '../platform/dialect/phone.ts';
import type { NewJob } from '../work/jobs.ts';

/* The events that a turn of the conversation reports, in order. Each surface draws them in its own way. */

/** A call of an operation, in plain words: present while it runs, past when it has ended. */
export interface Step {
  kind: 'step';
  /** The same for the step's start and end. */
  id: string;
  /** `skipped`: the model called it wrongly, and nothing was sent. */
  state: 'running' | 'done' | 'waits' | 'failed' | 'unknown' | 'skipped';
  /** "Looking up Ava Stone", then "Looked up Ava Stone". */
  title: string;
}

/** A call of an operation that ended, for the same card that a command shows. */
export interface Card {
  kind: 'card';
  operation: string;
  input: Fields;
  done: Done;
}

/** A form for the writer, filled in. Nothing is sent until the person sends it. */
export interface TurnForm {
  kind: 'form';
  operation: string;
  input: Fields;
  /** False if the writer may not ask for this change. The surface then names the people who may. */
  isAllowed: boolean;
}

/** A call that changes something, as the end of the turn reports it. */
export interface Effect {
  operation: string;
  /** The operation in words, with the number or id. */
  title: string;
  /** Id of the action in the ledger. */
  action?: string;
}

/** A record that the answer rests on. */
export interface ReadRecord {
  /** The operation's title and the number or id: "Number details: +12015550101". */
  title: string;
  /** When it was read, epoch ms. */
  at: number;
}

/** Why a turn ended before its answer was complete, in words. */
export const STOPPED_TEXT = {
  stopped: 'Stopped. Nothing more is done for this message.',
  shutdown: 'Switchboard is restarting, so this answer is not complete. Send the message again in a minute.',
  too_long: 'Stopped because the answer took too long or was too long.',
  forgotten: 'Stopped because the conversation was forgotten.',
  too_many_calls: 'Stopped because one message may make no more calls. Ask for a part of it.',
  taken_over: 'Stopped because another process answers in this thread.',
  cut: 'The answer ends here because it reached the model’s limit of length. Ask for the rest, or for a part of it.',
  withheld: 'The model’s endpoint withheld the rest of the answer. Ask in other words.',
  empty: 'The model gave no answer. Ask again, or in other words.',
};

export type Stopped = keyof typeof STOPPED_TEXT;

/** The end of a turn of the model. */
export interface TurnEnd {
  kind: 'end';
  /** The whole text of the answer. */
  text: string;
  done: readonly Effect[];
  waits: readonly (Effect & { expiresAt: string })[];
  unknown: readonly Effect[];
  records: readonly ReadRecord[];
  /** Numbers, ids and amounts of the answer that no record of the conversation holds. */
  doubted: readonly string[];
  /** Undefined if the turn came to its own end. */
  stopped?: Stopped;
  /** Tokens of all steps. */
  tokens?: { input: number; output: number };
}

/** A sentence of the assistant itself: a secret was removed, not all was read, or the conversation was forgotten. */
export interface TurnNotice {
  kind: 'notice';
  about: 'secret' | 'length' | 'topic';
  text: string;
}

export type TurnEvent =
  | TurnNotice
  | Step
  /** The next part of the answer. */
  | { kind: 'text'; text: string }
  | Card
  /** A call that waits for a person. The turn ends with it, because the model never gets the decision. */
  | { kind: 'question'; operation: string; input: Fields; confirmation: Confirmation }
  | TurnForm
  /** A batch of reads was begun. Its results follow by themselves. */
  | { kind: 'batch'; id: string }
  /** The message is answered after the one before it. */
  | { kind: 'queued' }
  /** The model failed: the reason, and the answer of the catalogue instead. */
  | { kind: 'failure'; failure: Failure; understood: Understood }
  /** No model is set: the answer of the catalogue. */
  | { kind: 'understood'; understood: Understood }
  /** Too many messages of this thread, or of this person, wait for an answer. Nothing was read or done. */
  | { kind: 'busy' }
  /** The thread was to be forgotten. Only the person who began it or an approver may; nothing was done. */
  | { kind: 'not_theirs' }
  | TurnEnd;

/** The job that runs if the process ends in a turn. `kind` names the surface's handler. */
export type Interrupted = Required<Pick<NewJob, 'kind' | 'payload'>>;

/** One message that is answered. */
export interface TurnRequest {
  /** Names the conversation. Its turns run one after another. */
  thread: string;
  /** Names of the memories that keep this turn, the first of which is read; that of the thread if left out. */
  memories?: readonly string[];
  /** Names begin so that are forgotten together with the thread. */
  forgets?: string | undefined;
  /** Messages before this time (epoch ms) are not remembered in this turn. */
  since?: number | undefined;
  text: string;
  /** When it was written, epoch ms of the surface's clock; now if left out. */
  at?: number;
  /** The person who wrote it. Their role decides the tools. */
  writer: Actor;
  /** IANA time zone of the writer; UTC if left out. */
  zone?: string | undefined;
  /** Other people's messages in the thread since the last answer. */
  others?: readonly { person: string; name: string; text: string; at: number }[];
  /** A message of another person that this one forwards. `subject`: the only line that it names; "it" means no other. */
  forwarded?: { text: string; subject?: string | undefined } | undefined;
  /** The person who decides, and the way, for a surface that asks after the turn. */
  decider?: Decider;
  /** Lists that came with the message, by name. */
  files?: readonly GivenFile[];
  /** True if the surface can show forms. */
  opensForms?: boolean;
  /** The name of a number or id, as far as the surface has learned it. */
  nameOf?: (value: string) => string | undefined;
  /** Stored with actions that wait, for the surface that shows their cards. */
  notes?: Fields;
  /** Runs in any process if this one ends in the turn, with `thread` and `turn` added to its payload. */
  interrupted?: Interrupted;
}

const MAX_SUBJECT = 40;
/** Members of an answer that name the customer. */
const NAMES = ['SubscriberName', 'Name', 'CallerName'];

/**
 * The steps of a turn, in plain words with their subjects.
 *
 * @param nameOf the name of a number or id, as far as the surface has learned it
 */
export function turnSteps(emit: (event: TurnEvent) => void, nameOf: (value: string) => string | undefined) {
  /** Names of numbers and ids that this turn has read. */
  const known = new Map<string, string>();

  /**
   * The first number or id of the input with its name. The words of a search are quoted, because anyone may have written
   * them.
   */
  const subjectOf = (tool: Tool, input: Fields): string | undefined => {
    for (const { name: field, kind } of fieldsOf(tool)) {
      const value = firstOf(input[field]);
      if (value === undefined) continue;
      if (kind === 'phone' || kind === 'id' || kind === 'list' || kind === 'rows') {
        if (value.length > MAX_SUBJECT || !isPlainValue(value)) continue;
        const name = known.get(value) ?? nameOf(value) ?? value;
        return name.includes(value) ? name : `${name} (${value})`;
      }
      if (STEP_WORDS[tool.id] && kind === 'text') return `“${value.replace(/[“”\n]/g, ' ').slice(0, MAX_SUBJECT)}”`;
    }
    return undefined;
  };

  /** The operation's title with the name, number or id that the call is about. */
  const subjectTitle = (tool: Tool, input: Fields): string => {
    const subject = subjectOf(tool, input);
    return subject === undefined ? tool.title : `${tool.title}: ${subject}`;
  };

  const titleOf = (tool: Tool, input: Fields, at: 0 | 1): string => {
    const subject = subjectOf(tool, input);
    const own = STEP_WORDS[tool.id];
    if (own && subject !== undefined) return `${own[at]} ${subject}`;
    const verb = tool.risk === 'read' ? ['Reading', 'Read'][at] : ['Working on', 'Done'][at];
    return `${verb}: ${lowerFirst(tool.title)}${subject === undefined ? '' : `: ${subject}`}`;
  };

  /** Learns whose number or record an answer is about. */
  const learn = (input: Fields, value: Fields) => {
    const names = [recordOf(value.Subscriber).Name, ...NAMES.map((one) => value[one])];
    const name = names.map(textOf).find((one) => one !== '');
    if (name === undefined) return;
    for (const member of Object.values(input)) {
      const one = firstOf(member);
      if (one !== undefined && isPlainValue(one)) known.set(one, name.slice(0, MAX_SUBJECT));
    }
  };

  /** Shows a call while it runs. The functions that are returned show how it has ended. */
  const begin = (tool: Tool, input: Fields, id: string) => {
    const show = (state: Step['state'], title: string) => emit({ kind: 'step', id, state, title });
    show('running', titleOf(tool, input, 0));
    return {
      /** @param isAlready true if nothing was sent, because it is so already */
      done: (value: Fields, isAlready: boolean) => {
        learn(input, value);
        show('done', isAlready ? `Already so: ${subjectTitle(tool, input)}` : titleOf(tool, input, 1));
      },
      waits: (summary: string) => show('waits', `Waits for a person: ${summary}`),
      failed: ({ code }: Failure, isUnknown: boolean) => {
        // A call that the model made wrongly is corrected by itself.
        const isMistake = code === 'invalid_input' || code === 'forbidden_by_role';
        const state = isUnknown ? 'unknown' : isMistake ? 'skipped' : 'failed';
        const how = tool.risk === 'read' ? 'Could not be read' : 'Not done';
        show(state, `${isUnknown ? 'Outcome unknown' : how}: ${subjectTitle(tool, input)}`);
      },
    };
  };

  return { begin, subjectTitle };
}

/** The value of a field, or the first of its list. */
function firstOf(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const plain = isRecord(first) ? Object.values(first)[0] : first;
  return typeof plain === 'string' ? plain : undefined;
}

const PREFIX = 'switchboard_assistant_';
/** The ends that are reported from the start, so that a query finds no gap before the first one. */
const ENDS: readonly TurnResult[] = ['answered', 'failed', 'stopped', 'too_long', 'too_many_calls'];
/** The end of a turn. */
type TurnResult = 'answered' | 'failed' | Stopped;

/**
 * Counts of this process for `/metrics`. They hold no text of the conversation.
 *
 * @param model its name; undefined if none is set
 */
export function createUsage(model: string | undefined) {
  const turns = new Map<string, number>();
  const tokens = { input: 0, output: 0 };
  let seconds = 0;
  const counter = (what: string, help: string) => ({ name: PREFIX + what, help, type: 'counter' }) as const;
  return {
    /** @param ms duration of the turn */
    turn: (end: TurnResult, ms: number, { input, output }: { input: number; output: number }) => {
      turns.set(end, (turns.get(end) ?? 0) + 1);
      seconds += ms / 1000;
      tokens.input += input;
      tokens.output += output;
    },
    metrics: (): Metric[] => {
      const ofTurns = counter('turns_total', 'Turns of the conversation by end.');
      const ofTokens = counter('tokens_total', 'Tokens of the model.');
      const all: Metric[] = [
        perLabel({ ...ofTurns, label: 'end', known: ENDS, counts: turns }),
        perLabel({ ...ofTokens, label: 'kind', known: [], counts: new Map(Object.entries(tokens)) }),
        { ...counter('turn_seconds_total', 'Time of all turns.'), values: [{ value: seconds }] },
      ];
      if (model === undefined) return all;
      const values = [{ labels: { model }, value: 1 }];
      return [...all, { name: `${PREFIX}model`, help: 'The model that is set.', type: 'gauge', values }];
    },
  };
}
