import type * as z from 'zod';
import type { ErrorCode, Failure } from '../lib/errors.ts';
import { defined, type Fields } from '../lib/json.ts';
import type { LocalHistory } from './history.ts';
import type { Finding, Trace } from './reconcile.ts';
import type { Risk, Rules } from './risk.ts';
import { completed, type Schemas } from './schemas.ts';
import type { Before, Common, Confirmed, ErasedTool, Input, Shape, Strict } from './spec.ts';
import type { Workflow } from './workflow.ts';

/**
 * An operation's explanation of a platform error: a next step to add, or a function of the platform's own texts. Its
 * result replaces the general explanation; undefined keeps it.
 */
type Explanation = string | ((quotes: readonly string[]) => Pick<Failure, 'message' | 'next'> | undefined);

/** The source of a definition's facts: S, I and A as in PLATFORM.md. */
type Source = 'S' | 'S+I' | 'I' | 'A' | 'S, path I';

type Sourced =
  | { source: Exclude<Source, 'I'>; beyondSpecification?: never }
  | {
      source: 'I';
      /**
       * True if the platform's specification does not name the operation at all. Such an operation is in the toolset
       * `all` and in its group's, but not in `core`. Slack and the terminal always have it.
       */
      beyondSpecification: boolean;
    };

type Slug<S extends string> = S extends `${infer A}/${infer B}`
  ? `${Slug<A>}_${Slug<B>}`
  : S extends `${infer A}-${infer B}`
    ? `${A}_${Slug<B>}`
    : S;

/**
 * The ids an endpoint may have: a GET ends in `_get`, a POST may end in `_create` or `_set`, the rest is the path. Any
 * text for an endpoint that could not be inferred, so that the compiler names the member that is missing instead.
 */
type IdOf<E extends string> = string extends E
  ? string
  : E extends `GET /v1.0/${infer P}`
    ? Slug<P> extends `${string}_get`
      ? Slug<P>
      : `${Slug<P>}_get`
    : E extends `POST /v1.0/${infer P}`
      ? Slug<P> | `${Slug<P>}_create` | `${Slug<P>}_set`
      : 'the endpoint is GET or POST, and begins with /v1.0/';

export type OperationSpec<E extends string, S extends Shape, R extends Risk, I extends Input = Strict<S>> = Common<
  S,
  I
> &
  Before<I> &
  Confirmed<I, R> &
  Sourced & {
    id: IdOf<E>;
    endpoint: E;
    risk: R;
    /** True if it may be sent again when its outcome is unknown. */
    resend: boolean;
    /**
     * The sections of PLATFORM.md the definition rests on, and after `assumed:` the assumptions that no section has.
     */
    notes: string;
    /** A separate lane at one request a second, outside the shared budget (PLATFORM.md, Limits). */
    lane?: 'provision' | 'portin';
    /** A secret in the answer that the ledger stores, under a key of the answer, until a later operation takes it. */
    keeps?: { secret: string; under: string; until: string };
    /**
     * True if a call that names no account gets PLATFORM_ACCOUNT_ID, so that the records it creates or pays for belong
     * to that account. In other operations AccountId names or filters existing records, and a default would hide the
     * records of other accounts.
     */
    defaultAccount?: true;
    /**
     * A stored secret this operation sends; its field is not part of the input. `renew`: the input of the call that gives
     * another one, from the record of the first.
     */
    takes?: {
      secret: string;
      under: keyof z.output<I> & string;
      from: string;
      renew: (known: Fields) => Fields | undefined;
    };
    /**
     * A secret input made at random when left out: shown once, to the person who confirmed. If the answer has one
     * (under the same name or one of `answeredAs`), it replaces the generated one and is shown.
     */
    makes?: { secret: keyof z.output<I> & string; digits: number; answeredAs: readonly string[] };
    /** Resolves an unknown outcome by reading the platform. */
    reconcile?: (input: z.output<I>, trace: Trace) => Promise<Finding>;
    /** A sentence for an error of this code, if this operation knows more about it than the platform says. */
    explains?: Partial<Record<ErrorCode, Explanation>>;
    /** A caution for the person who saves it. Forms show it first; other results have it as a warning. */
    caution?: (input: z.output<I>) => string | undefined;
    /** A warning for the result about members that the platform accepts but ignores. */
    warn?: (input: z.output<I>) => string | undefined;
    /**
     * Turns the answer to a read into the members that a reader gets: selected, or with explanations added. Secrets are
     * removed before. Costs no platform request.
     */
    present?: (answer: Fields, context: { input: z.output<I>; history: LocalHistory }) => Promise<Fields>;
    /** Overrides how the input becomes the body or query. */
    send?: (input: z.output<I>) => Fields;
  };

/** An operation with its types erased, for the gate and the surfaces. */
export interface Operation extends ErasedTool {
  kind: 'operation';
  endpoint: string;
  method: 'GET' | 'POST';
  path: string;
  source: Source;
  beyondSpecification?: boolean;
  notes: string;
  lane?: 'provision' | 'portin';
  keeps?: { secret: string; under: string; until: string };
  takes?: { secret: string; under: string; from: string; renew: (known: Fields) => Fields | undefined };
  makes?: { secret: string; digits: number; answeredAs: readonly string[] };
  defaultAccount?: true;
  warn?: (input: Fields) => string | undefined;
  explains?: Partial<Record<ErrorCode, Explanation>>;
  caution?: (input: Fields) => string | undefined;
  present?: (answer: Fields, context: { input: Fields; history: LocalHistory }) => Promise<Fields>;
  send?: (input: Fields) => Fields;
}

export type Tool = Operation | Workflow;

/**
 * One platform call as data. The types reject an id that is not its endpoint's, a change without consent text, and
 * consent text on a read.
 */
export function defineOperation<const E extends string, S extends Shape, const R extends Risk>(
  spec: OperationSpec<E, S, R>,
): Operation;
export function defineOperation(definition: unknown): Operation {
  const { ordinary, raised, consent, input, output, ...spec } = definition as Erased;
  const [method, path] = spec.endpoint.split(' ') as ['GET' | 'POST', string];
  return completed(
    { ...spec, kind: 'operation', group: firstWord(spec.id), method, path },
    { input, output },
    defined({ ordinary, raised, consent }),
  );
}

type Erased = Omit<
  Operation,
  'kind' | 'group' | 'method' | 'path' | 'members' | 'raises' | 'raisedBy' | 'consent' | keyof Schemas
> &
  Schemas &
  Rules;

function firstWord(id: string): string {
  const cut = id.indexOf('_');
  return cut < 0 ? id : id.slice(0, cut);
}

export type { Change, Effect, Lead, Level, NamedId } from './change.ts';
export type { Checked, Consent, Look, Problem, Problems, RecordProblem } from './consent.ts';
export type { Charge, Happening, Histories, LocalHistory, WaitingChange, Watched } from './history.ts';
export type { Call, Finding, OtherCall, Receipt, SentCall, Trace } from './reconcile.ts';
export {
  type Circumstances,
  extended,
  type Harm,
  higher,
  highestRisk,
  isChange,
  isGated,
  label,
  levelOf,
  type MemberRules,
  mayResend,
  type Ordinary,
  off,
  on,
  ordinary,
  type Raised,
  type Risk,
  target,
  unused,
} from './risk.ts';
export type { RowSentence, Sentences } from './sentences.ts';
export type { Exclusive } from './spec.ts';
export {
  defineWorkflow,
  type StartedWork,
  type Workflow,
  type WorkflowContext,
} from './workflow.ts';
