import { namesAccount, parseInput, withDefaultAccount } from '../catalogue/input.ts';
import type { Operation, Tool } from '../catalogue/operation.ts';
import { withReadBack } from '../catalogue/read-back.ts';
import type { Clock } from '../lib/clock.ts';
import { invalidInput } from '../lib/errors.ts';
import { type Fields, isRecord } from '../lib/values.ts';

/** Operations and workflows by id, and what parses their inputs. */
export class ToolIndex {
  readonly #byId: ReadonlyMap<string, Tool>;
  readonly #clock: Clock;
  readonly #defaultAccountId: string | undefined;

  /** @param defaultAccountId the account of what is made or paid if the caller names none */
  constructor(tools: readonly Tool[], clock: Clock, defaultAccountId?: string) {
    this.#byId = new Map(tools.map((tool) => [tool.id, withReadBack(tool)]));
    this.#clock = clock;
    this.#defaultAccountId = defaultAccountId;
  }

  find(id: string): Tool | undefined {
    return this.#byId.get(id);
  }

  /** Throws `invalid_input` for an id that is not in the catalogue. */
  get(id: string): Tool {
    const tool = this.#byId.get(id);
    if (!tool) throw invalidInput(undefined, `There is no operation ${id}.`);
    return tool;
  }

  /** Checks an input and adds the default account. Throws `invalid_input`. */
  parse(tool: Tool, raw: unknown): Fields {
    const complete = isRecord(raw) ? this.withAccount(tool, raw) : raw;
    return parseInput(tool, complete, new Date(this.#clock.now()));
  }

  /** An input with the default account, if the operation takes it and the input names none. */
  withAccount(tool: Tool, given: Fields): Fields {
    return withDefaultAccount(tool, given, this.#defaultAccountId);
  }

  /** The operations, without the workflows. */
  get operations(): Operation[] {
    return [...this.#byId.values()].filter((tool) => tool.kind === 'operation');
  }
}

/** The part of a parsed input that the caller gave: without the configured account. `null` is an account that is removed. */
export function givenIn(raw: unknown, input: Fields): Fields {
  if (namesAccount(raw) || input.AccountId === null) return input;
  const { AccountId: _default, ...given } = input;
  return given;
}
