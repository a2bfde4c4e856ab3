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
import type { Tool } from '../../catalogue/operation.ts';
import type { Gate } from '../../gate/gate.ts';
import { clean } from '../../language/show.ts';
import { asSwitchboardError } from '../../lib/errors.ts';
import { defined, type Fields } from '../../lib/json.ts';
import type { Offer, Understood } from '../../nlu/reader.ts';
import { fixCommand } from './findings.ts';
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
    try {
      for (const one of shown ? inputsOf(shown) : []) if (shown) await this.#read(shown.tool, one, beside);
    } catch (error) {
      if (asSwitchboardError(error).face.code === 'invalid_input') await this.#commands(offers, operation);
      throw error;
    }
    if (kind === 'choose') await this.#commands(offers);
    return undefined;
  }

  async #read(tool: Tool, given: Fields, beside: readonly string[]): Promise<void> {
    const { io, gate, out, err } = this.#options;
    const { input, notes, labels } = await withNamedRecords({ tool, input: given }, io);
    for (const note of [...notes, besideText(beside, labels)]) await this.#note(note);
    const performed = await gate.perform(tool.id, input, io.actor);
    if (performed.kind === 'done') await show(performed, tool, { asked: readOptions([]), input, io, out, err });
  }

  /** A change with all its fields is asked on a terminal. Otherwise its command is printed. */
  async #change(meant: Meant, beside: readonly string[]): Promise<Question> {
    const { io, canAsk } = this.#options;
    const { tool, each } = meant;
    const [given = {}] = inputsOf(meant);
    if (canAsk && each.length === 0) {
      const { input, notes, labels } = await withNamedRecords({ tool, input: given }, io);
      for (const note of [...notes, besideText(beside, labels)]) await this.#note(note);
      if (tool.input.safeParse(input).success) return { operation: tool.id, input };
    }
    await this.#say(each.length === 0 ? 'To do it, run:' : 'To do it, run one for each:');
    for (const one of inputsOf(meant)) await this.#command(tool, one);
    return 'not asked';
  }

  /** The commands of what may be meant. */
  async #commands(offers: readonly Offer[], besides?: string): Promise<void> {
    const { tools } = this.#options.io;
    const others = offers.flatMap((offer) =>
      offer.operation === besides ? [] : (meantBy(offer, tools, groups) ?? []),
    );
    if (others.length > 0) await this.#say('It may ask for:');
    for (const one of others) await this.#command(one.tool, inputsOf(one)[0] ?? {});
  }

  async #command(tool: Tool, input: Fields): Promise<void> {
    const needs = fieldsOf(tool)
      .filter(({ name, required, secret }) => required && !secret && input[name] === undefined)
      .map(({ name }) => name);
    await this.#options.out(`  ${fixCommand({ does: '', operation: tool.id, input, needs })}\n`);
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
