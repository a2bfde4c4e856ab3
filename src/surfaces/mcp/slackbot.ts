import type { IncomingHttpHeaders } from 'node:http';
import type { Performed } from '../../gate/gate.ts';
import type { Actor } from '../../lib/actor.ts';
import type { Failure } from '../../lib/errors.ts';
import type { Fields } from '../../lib/json.ts';
import type { SlackbotPerson } from '../../lib/slackbot.ts';

/** What came of a call, for Slack's cards. */
export type SlackbotOutcome =
  | { kind: 'done'; operation: string; input: Fields; done: Extract<Performed, { kind: 'done' }> }
  /** It waits for a person. */
  | { kind: 'pending'; action: string }
  /** The state of an action that was asked for. */
  | { kind: 'action'; action: string }
  /** `operation` is left out if the call named none that exists. */
  | { kind: 'failed'; operation?: string; error: Failure };

/** A person who calls through Slackbot, and how they are answered. */
export interface SlackbotAnswers {
  /** What is stored with an action that waits: where its card goes. */
  notes: Fields;
  /** Block Kit for a result, and a sentence for the assistant if Slack knows more than the result says. */
  present(outcome: SlackbotOutcome): Promise<{ blocks: Fields[]; text?: string }>;
}

/** Slack's own assistant as a caller. The Slack surface provides it. */
export interface Slackbot {
  signatures: {
    /** Whether Slack signed this body a short time ago. */
    isGenuine(raw: Buffer, headers: IncomingHttpHeaders): boolean;
    /** Whether a genuine request comes for the first time. */
    isNew(headers: IncomingHttpHeaders): Promise<boolean>;
  };
  /** The person as the Slack app knows them, or why they may not call. */
  admit(person: SlackbotPerson): Promise<{ actor: Actor; answers: SlackbotAnswers } | { refused: SlackbotRefusal }>;
}

/** Why a person may not call. */
export interface SlackbotRefusal {
  text: string;
  blocks: Fields[];
  /** Set if Slack does not tell the person's role now: the call may be repeated after this time. */
  retryAfterSeconds?: number;
}
