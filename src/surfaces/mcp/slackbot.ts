import type { IncomingHttpHeaders } from 'node:http';
import type { Performed } from '../../gate/gate.ts';
import type { SlackbotPerson } from '../../language/assistants/listed.ts';
import type { Actor } from '../../lib/actor.ts';
import type { Failure } from '../../lib/errors.ts';
import type { Fields } from '../../lib/json.ts';

/** The outcome of a call, for Slack's cards. */
export type SlackbotOutcome =
  | { kind: 'done'; operation: string; input: Fields; done: Extract<Performed, { kind: 'done' }> }
  /** The call waits for a person. */
  | { kind: 'pending'; action: string }
  /** The call asked for the state of an action. */
  | { kind: 'action'; action: string }
  /** `operation` is left out if the call named none that exists. */
  | { kind: 'failed'; operation?: string; error: Failure };

/** The answers for a person who calls through Slackbot. */
export interface SlackbotAnswers {
  /** Stored with an action that waits. They say where its card goes. */
  notes: Fields;
  /** Returns Block Kit for a result, and a sentence for the assistant if Slack knows more than the result says. */
  present(outcome: SlackbotOutcome): Promise<{ blocks: Fields[]; text?: string }>;
}

/** Slack's own assistant as a caller. The Slack surface provides it. */
export interface Slackbot {
  signatures: {
    /** True if Slack signed this body a short time ago. */
    isGenuine(raw: Buffer, headers: IncomingHttpHeaders): boolean;
    /** True if a genuine request arrives for the first time. */
    isNew(headers: IncomingHttpHeaders): Promise<boolean>;
  };
  /** The person as the Slack app knows them, or the reason why they may not call. */
  admit(person: SlackbotPerson): Promise<{ actor: Actor; answers: SlackbotAnswers } | { refused: SlackbotRefusal }>;
}

/** The reason why a person may not call. */
export interface SlackbotRefusal {
  text: string;
  blocks: Fields[];
  /** Set if Slack does not return the person's role now. The call may be repeated after this time. */
  retryAfterSeconds?: number;
}
