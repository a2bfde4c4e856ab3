import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SandboxClock } from './clock.ts';
import { notFound } from './errors.ts';
import { isObject } from './json.ts';
import type { Account, MessageRoute, NumberRecord, State, Subscriber, VoiceRoute } from './records.ts';
import { seed } from './seed.ts';

/** The content of `--data FILE`: the records and the state of other modules. */
interface Saved {
  version: 1;
  offset: number;
  tokenSecret: string;
  tokenEpoch: string;
  state: State;
}

/** Storage for the state of a sandbox. */
export interface DataFile {
  /** Names the file in messages. */
  readonly name: string;
  /** Returns the text that was written last; null if there is none. */
  read(): string | null;
  /** Replaces the text. A reader never sees an incomplete text. */
  write(text: string): void;
}

/** Thrown if the data file does not contain the state of a sandbox. */
export class UnusableData extends Error {}

/** Returns a data file that has the state in plain JSON. */
export function dataFileAt(path: string): DataFile {
  return {
    name: path,
    read: () => (existsSync(path) ? readFileSync(path, 'utf8') : null),
    write: (text) => replaceFile(path, text),
  };
}

/** Writes a temporary file and renames it, so that the file is never incomplete. */
function replaceFile(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, content, { mode: 0o600 });
  renameSync(temporary, path);
}

/** State of the other modules that is kept in the file. */
export interface SavedTokens {
  tokenSecret: string;
  tokenEpoch: string;
}

/** Fields that never leave the sandbox: `GET /sandbox/state` leaves them out. */
const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'MessagePasswordToken',
  'CallbackMessagePasswordToken',
  'VoicePasswordToken',
  'AuthenticationPassword',
  'AuthenticationToken',
  'PortOutPin',
  'AuthCodeHash',
  'CurrentAccountPasswordHash',
]);

export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !SECRET_FIELDS.has(name))
      .map(([name, inner]) => [name, withoutSecrets(inner)]),
  );
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function newId(prefix: string): string {
  return `${prefix}-${randomUUID()}`;
}

/**
 * True if two ids name the same record although their prefixes differ: `PKID-`/`PID-` for packages, `PRID-`/`PID-` for
 * products, `NID-`/`TNID-` for numbers (PLATFORM.md, Identifiers).
 */
export function sameId(given: string, stored: string, prefixes: readonly string[]): boolean {
  if (given === stored) return true;
  const bare = (id: string) => {
    const prefix = prefixes.find((p) => id.startsWith(`${p}-`));
    return prefix === undefined ? null : id.slice(prefix.length + 1).toLowerCase();
  };
  const left = bare(given);
  return left !== null && left === bare(stored);
}

/** The records of one sandbox, and their file. */
export class Store {
  state: State;
  readonly #file: DataFile | null;

  constructor(state: State, file: DataFile | null) {
    this.state = state;
    this.#file = file;
  }

  /** Reads the file when there is one, otherwise starts from the seed. */
  static open(clock: SandboxClock, file: DataFile | null): { store: Store; tokens: SavedTokens | null } {
    const text = file?.read() ?? null;
    if (file === null || text === null) return { store: new Store(seed(clock.now()), file), tokens: null };
    let saved: Saved;
    try {
      saved = JSON.parse(text) as Saved;
    } catch {
      throw new UnusableData(`The sandbox data file ${file.name} is not JSON; name another file, or remove it.`);
    }
    if (!isObject(saved) || saved.version !== 1)
      throw new UnusableData(`The sandbox data file ${file.name} is of an unknown version; name another file.`);
    clock.offset = saved.offset;
    return { store: new Store(saved.state, file), tokens: saved };
  }

  save(clock: SandboxClock, tokens: SavedTokens): void {
    if (this.#file === null) return;
    const saved: Saved = { version: 1, offset: clock.offset, ...tokens, state: this.state };
    this.#file.write(JSON.stringify(saved));
  }

  accountsOf(distributor: string): Account[] {
    return this.state.accounts.filter((account) => account.DistributorId === distributor);
  }

  account(distributor: string, id: string): Account | undefined {
    return this.accountsOf(distributor).find((account) => account.AccountId === id);
  }

  /** Returns the distributor's first account, for records that name none. */
  defaultAccount(distributor: string): Account {
    const [first] = this.accountsOf(distributor);
    if (first === undefined) throw notFound('Account');
    return first;
  }

  owns(distributor: string, record: { AccountId: string }): boolean {
    return this.account(distributor, record.AccountId) !== undefined;
  }

  distributorOf(accountId: string): string | undefined {
    return this.state.accounts.find((account) => account.AccountId === accountId)?.DistributorId;
  }

  subscriber(distributor: string, id: string): Subscriber | undefined {
    return this.state.subscribers.find((row) => row.SubscriberId === id && this.owns(distributor, row));
  }

  number(distributor: string, e164: string): NumberRecord | undefined {
    return this.state.numbers.find((row) => row.Number === e164 && this.owns(distributor, row));
  }

  /** Finds a number of any distributor. */
  anyNumber(e164: string): NumberRecord | undefined {
    return this.state.numbers.find((row) => row.Number === e164);
  }

  /** Returns the numbers that are assigned to a subscriber. */
  numbersOf(subscriberId: string): string[] {
    return this.state.numbers.filter((row) => row.AssignedSubscriberId === subscriberId).map((row) => row.Number);
  }

  messageRoute(distributor: string, id: string): MessageRoute | undefined {
    return this.state.messageRoutes.find((row) => row.MessageRouteId === id && this.owns(distributor, row));
  }

  voiceRoute(distributor: string, id: string): VoiceRoute | undefined {
    return this.state.voiceRoutes.find((row) => row.CallRouteId === id && this.owns(distributor, row));
  }
}
