import { outsideIn } from '../../catalogue/outside.ts';
import type { PerformOptions } from '../../gate/gate.ts';
import { outcomeOf, partlyOutcome } from '../../language/outcome.ts';
import { invalidInput } from '../../lib/errors.ts';
import { defined, type Fields, isRecord } from '../../lib/json.ts';
import type { Elicitation } from './elicitation.ts';
import type { Offer } from './offer.ts';
import type { McpOptions } from './options.ts';
import { Progress } from './progress.ts';
import type { RequestContext, ToolResult } from './protocol.ts';
import {
  actionOf,
  addPartly,
  bounded,
  errorFace,
  failure,
  markOutside,
  outsideInConfirmation,
  pendingConfirmation,
  success,
  withinSize,
} from './results.ts';

/** Runs the tool calls of one client. */
export class ToolCalls {
  readonly #options: McpOptions;
  readonly #offer: Offer;
  readonly #elicitation: Elicitation;

  constructor(options: McpOptions, offer: Offer, elicitation: Elicitation) {
    this.#options = options;
    this.#offer = offer;
    this.#elicitation = elicitation;
  }

  /** The result of a call. Errors are results too, so that the assistant reads them. */
  async call(name: string, input: Fields, context: RequestContext): Promise<ToolResult> {
    try {
      return await this.#call(name, input, context);
    } catch (error) {
      return failure(errorFace(error, this.#options.onError));
    }
  }

  async #call(name: string, input: Fields, context: RequestContext): Promise<ToolResult> {
    if (name === 'confirmations_get' && this.#offer.canWait) return this.#confirmation(input);
    if (!this.#options.discover) return this.#perform(name, input, context);
    switch (name) {
      case 'search':
        return success(this.#offer.search(textIn(input, 'query', true)));
      case 'describe': {
        const { gate } = await this.#options.backend();
        return success(this.#offer.describe(textIn(input, 'operation'), gate));
      }
      case 'call':
        return this.#perform(textIn(input, 'operation'), recordIn(input, 'input'), context);
      default:
        throw invalidInput(undefined, `There is no tool ${name}; the tools are search, describe, call.`);
    }
  }

  async #perform(id: string, input: Fields, context: RequestContext): Promise<ToolResult> {
    this.#offer.check(id);
    const { gate } = await this.#options.backend();
    const progress = new Progress(context);
    try {
      const done = await gate.perform(id, input, this.#options.actor, this.#performOptions(context, progress));
      if (done.kind === 'pending') {
        const { confirmation } = done;
        await this.#options.onPending?.(confirmation.id);
        // The customer's name comes from the platform's records, so it is text from outside.
        const outside = confirmation.customer === undefined ? [] : ['confirmation.customer'];
        return markOutside(outside, success({ confirmation: pendingConfirmation(confirmation) }));
      }
      const value = bounded(gate, id, done.value);
      const result = markOutside(outsideIn(gate.tool(id), value), success(value));
      if (done.partly) addPartly(result, partlyOutcome(done.partly, done.value));
      if (done.once && done.actionId) {
        const url = gate.pageUrl(done.actionId) ?? 'the confirmation page';
        const text = `A secret was generated for the person who confirmed; it is shown once at ${url}.`;
        result.content.push({ type: 'text', text });
      }
      return result;
    } finally {
      progress.stop();
    }
  }

  #performOptions(context: RequestContext, progress: Progress): PerformOptions {
    const options: PerformOptions = {
      signal: context.signal,
      onWait: (why, seconds) => progress.waiting(why, seconds),
    };
    if (this.#options.canAsk && this.#elicitation.isSupported()) {
      options.ask = this.#elicitation.asker(context);
      options.decider = this.#elicitation.decider();
    }
    return options;
  }

  /** `confirmations_get`: the state of a call that waited for a person. */
  async #confirmation(input: Fields): Promise<ToolResult> {
    const { gate } = await this.#options.backend();
    const extra = Object.keys(input).find((key) => key !== 'id');
    if (extra !== undefined)
      throw invalidInput(extra, `${extra}: is not a field of confirmations_get; the field is id.`);
    const confirmation = withinSize(await gate.follow(textIn(input, 'id'), this.#options.actor));
    const { id, status, decidedBy, result, error } = confirmation;
    const found = success(defined({ id, status, decidedBy, result, error }));
    const action = status === 'partly' ? await actionOf(gate, id) : undefined;
    if (action) addPartly(found, outcomeOf(action, gate.tool(action.operation)));
    return markOutside(await outsideInConfirmation(gate, confirmation), found);
  }
}

function textIn(input: Fields, field: string, mayBeEmpty = false): string {
  const value = input[field];
  if (typeof value === 'string' && (mayBeEmpty || value !== '')) return value;
  throw invalidInput(field, `${field}: is missing; give it as a string.`);
}

function recordIn(input: Fields, field: string): Fields {
  const value = input[field];
  if (isRecord(value)) return value;
  throw invalidInput(field, `${field}: is missing; give the operation's fields as an object.`);
}
