import { groups } from '../../../tools/groups.ts';
import {
  besideText,
  inputsOf,
  lookupOf,
  type Meant,
  meantBy,
  notTakenText,
  TOPICS,
} from '../../assistant/understood.ts';
import { fieldsOf } from '../../catalogue/fields.ts';
import { fieldProblems } from '../../catalogue/input.ts';
import type { Tool } from '../../catalogue/operation.ts';
import type { Gate } from '../../gate/gate.ts';
import { clean } from '../../language/show.ts';
import { asSwitchboardError, type FieldProblem } from '../../lib/errors.ts';
import { defined, type Fields } from '../../lib/json.ts';
import type { Offer, Understood } from '../../nlu/reader.ts';
import { fixCommand } from './answer.ts';
import type { CallIo, Write } from './io.ts';
import { withNamedRecords } from './names.ts';
import { readOptions } from './options.ts';
import { onTerminal } from './prose.ts';
import { show } from './reporting.ts';

export interface PlainReplyOptions {
  io: CallIo;
  gate: Gate;
  out: Write;
  err: Write;
  /** True if the person can be asked here. Otherwise a change becomes the command to run. */
  canAsk: boolean;
}

/** A call that has to be asked, or `not asked` if its command was printed instead. */
type Question = { operation: string; input: Fields } | 'not asked' | undefined;

/** The answer to plain words without a model: reads are performed, a change is asked or becomes its command. */
export class PlainReply {
  readonly #options: PlainReplyOptions;

  constructor(options: PlainReplyOptions) {
    this.#options = options;
  }

  /** Throws what a read throws, after the other offers were printed. */
  async show(understood: Understood): Promise<Question> {
    const { kind, operation, input, find, offers, beside = [], about = 'not_here' } = understood;
    const { tools } = this.#options.io;
    const meant =
      operation === undefined ? undefined : meantBy({ operation, input, ...defined({ find }) }, tools, groups);
    await this.#note(notTakenText(understood.notTaken));
    if (kind === 'form' && meant) return this.#change(meant, beside);
    const shown = meant ?? (find === undefined ? undefined : lookupOf(find, tools, groups));
    if (kind === 'told' || (kind === 'read' && !shown)) {
      const tool = tools.find(({ id }) => id === operation);
      if (about === 'consequence' && tool) await this.#say(`${tool.title}: ${tool.description}`);
      await this.#say(TOPICS[about]);
      if (about === 'waiting' || about === 'withdraw') await this.#waiting();
      if (about === 'not_here') await this.#commands(offers);
      return undefined;
    }
    if (shown && inputsOf(shown).some((one) => this.#problems(shown.tool, one).some(isMissing(one))))
      return this.#instead(shown);
    try {
      for (const one of shown ? inputsOf(shown) : []) if (shown) await this.#read(shown.tool, one, beside);
    } catch (error) {
      if (asSwitchboardError(error).face.code === 'invalid_input') await this.#commands(offers, shown);
      throw error;
    }
    if (kind === 'choose') await this.#commands(offers, shown);
    return undefined;
  }

  async #read(tool: Tool, given: Fields, beside: readonly string[]): Promise<void> {
    const { io, gate, out, err } = this.#options;
    const input = await this.#named(tool, given, beside);
    const performed = await gate.perform(tool.id, input, io.actor);
    if (performed.kind === 'done') await show(performed, tool, { asked: readOptions([]), input, io, out, err });
  }

  /** A whole change is asked on a terminal. Otherwise its command is printed. */
  async #change(meant: Meant, beside: readonly string[]): Promise<Question> {
    const { tool, each } = meant;
    if (each.length > 0) return this.#instead(meant);
    const input = await this.#named(tool, meant.input, beside);
    const isWhole = this.#problems(tool, input).length === 0;
    return this.#options.canAsk && isWhole ? { operation: tool.id, input } : this.#instead({ ...meant, input });
  }

  /** Prints the command of what is not performed here. */
  async #instead(meant: Meant): Promise<'not asked'> {
    await this.#say(meant.each.length === 0 ? 'To do it, run:' : 'To do it, run one for each:');
    for (const one of inputsOf(meant)) await this.#command(meant.tool, one);
    return 'not asked';
  }

  /** The input with the records that it names, after they were noted. */
  async #named(tool: Tool, given: Fields, beside: readonly string[]): Promise<Fields> {
    const { input, notes, labels } = await withNamedRecords({ tool, input: given }, this.#options.io);
    for (const note of [...notes, besideText(beside, labels)]) await this.#note(note);
    return input;
  }

  #problems(tool: Tool, input: Fields): FieldProblem[] {
    return fieldProblems(tool, input, new Date(this.#options.io.now?.() ?? Date.now()));
  }

  /** The commands of what may be meant. */
  async #commands(offers: readonly Offer[], shown?: Meant): Promise<void> {
    const { tools } = this.#options.io;
    const all = offers.flatMap((offer) => meantBy(offer, tools, groups) ?? []);
    const others = all.filter(({ tool }) => tool.id !== shown?.tool.id);
    if (others.length > 0) await this.#say('It may ask for:');
    for (const one of others) await this.#command(one.tool, inputsOf(one)[0] ?? {});
  }

  /** Prints a command, and what it needs beside the values that a message said. */
  async #command(tool: Tool, input: Fields): Promise<void> {
    const fields = fieldsOf(tool).filter(({ name, secret }) => !secret && input[name] === undefined);
    const needs = fields.flatMap(({ name, required }) => (required ? [name] : []));
    const others = fields.filter(({ required }) => !required).map(({ name }) => name);
    await this.#options.out(`  ${fixCommand({ operation: tool.id, input, needs })}\n`);
    for (const { field, message } of this.#problems(tool, input))
      if (others.includes(field)) await this.#options.out(`    ${field}: ${message}\n`);
  }

  /** The requests of this person that wait. */
  async #waiting(): Promise<void> {
    const { gate, io } = this.#options;
    const own = await gate.actions.list({ actorId: io.actor.id, states: ['pending'], limit: 20 });
    for (const { id, consent, operation } of own) await this.#say(`${id}  ${consent?.title ?? operation}`);
  }

  #say(text: string): Promise<void> {
    const { io, out } = this.#options;
    return out(`${onTerminal(clean(text), io.stdout)}\n`);
  }

  async #note(text: string): Promise<void> {
    const { io, err } = this.#options;
    if (text !== '') await err(`${onTerminal(clean(text), io.stderr)}\n`);
  }
}

/** True for a problem of a field that an input leaves out. */
function isMissing(input: Fields): (problem: FieldProblem) => boolean {
  return ({ field }) => input[field.split('.')[0] ?? field] === undefined;
}
