import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '../lib/clock.ts';
import { isOwn, makePrivate, UnusableData } from '../lib/config.ts';
import type { Fields } from '../lib/values.ts';
import { activationsIn } from '../platform/dialect/redact.ts';
import type { Database } from '../store/types.ts';

/** The seal of an installation. */
export type Seal = ReturnType<typeof createSeal>;

/**
 * Encrypts values for storage (AES-256-GCM), bound to the record they belong to. While a key is rotated there are
 * several: the first one seals, and what any of them sealed is read.
 */
export function createSeal(...keys: SealingKeys) {
  const seals = keys.map(sealOf);
  return {
    ...sealOf(keys[0]),
    /** Throws if none of the keys sealed it, or the record is different. */
    open: (sealed: Uint8Array, record: string): unknown => {
      for (const [at, { open }] of seals.entries()) {
        try {
          return open(sealed, record);
        } catch (error) {
          if (at === seals.length - 1) throw error;
        }
      }
      throw new Error('there is no sealing key');
    },
    /** The digests by all keys, that of the first key first, to find what was stored before a rotation. */
    digests: (text: string) => seals.map(({ digest }) => digest(text)),
    /** True if a proof is that of a text by one of the keys. */
    proves: (text: string, mac: unknown) =>
      typeof mac === 'string' && seals.some((seal) => isSame(mac, seal.mac(text))),
  };
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** A seal with one key. */
function sealOf(key: Uint8Array) {
  if (key.length !== 32) throw new Error('the sealing key must have 32 bytes');
  const proof = new Uint8Array(hkdfSync('sha256', key, '', 'switchboard ledger proof', 32));
  return {
    seal: (value: unknown, record: string): Uint8Array => {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(record));
      const body = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open: (sealed: Uint8Array, record: string): unknown => {
      const bytes = Buffer.from(sealed);
      const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 })
        .setAAD(Buffer.from(record))
        .setAuthTag(bytes.subarray(12, 28));
      return JSON.parse(Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]).toString('utf8'));
    },
    /** A keyed digest, so that a four-digit PIN cannot be found by brute force. */
    digest: (text: string) => createHmac('sha256', key).update(text).digest('base64url'),
    /** Proof that this installation wrote a text, with a key derived for this purpose only. */
    mac: (text: string) => createHmac('sha256', proof).update(text).digest('base64url'),
  };
}

/** The first key seals, and all of them open. */
type SealingKeys = readonly [Uint8Array, ...Uint8Array[]];

const KEY_FILE = 'sealing.key';
const OTHER_KEY = 'move it away to create a new one, or set SEALING_KEY';

/** The file with the key of this installation, unless SEALING_KEY is set. */
export function keyFile(dataDir: string): string {
  return join(dataDir, KEY_FILE);
}

/**
 * The keys of `SEALING_KEY`, otherwise the one in `DATA_DIR`, which is made if there is none.
 *
 * @throws UnusableData as `storedKeys` does, and if others can read the file
 */
export function sealingKeys(dataDir: string, fromSettings: readonly string[] | undefined): SealingKeys {
  return keysOf(fromSettings) ?? sealingKey(dataDir);
}

/**
 * The same keys, without making one; undefined if there is none.
 *
 * @throws UnusableData if the file is not this user's own or holds no key: with a key that others know, decisions in the
 * ledger could be forged
 */
export function storedKeys(dataDir: string, fromSettings: readonly string[] | undefined): SealingKeys | undefined {
  return keysOf(fromSettings) ?? storedKey(dataDir);
}

function keysOf(fromSettings: readonly string[] | undefined): SealingKeys | undefined {
  const [first, ...others] = (fromSettings ?? []).map((key) => Buffer.from(key, 'base64'));
  return first && [first, ...others];
}

/** The key that is made once under `DATA_DIR` with mode 0600. */
function sealingKey(dataDir: string): SealingKeys {
  const path = keyFile(dataDir);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(path, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  makePrivate(path);
  const keys = storedKey(dataDir);
  if (keys === undefined) throw new UnusableData(`The sealing key ${path} was removed; start again.`);
  if (process.platform !== 'win32' && (lstatSync(path).mode & 0o077) !== 0)
    throw new UnusableData(`The sealing key ${path} can be read by other users; ${OTHER_KEY}.`);
  return keys;
}

/** The key under `DATA_DIR`; undefined if there is none. */
function storedKey(dataDir: string): SealingKeys | undefined {
  const path = keyFile(dataDir);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isFile() || !isOwn(found))
    throw new UnusableData(`The sealing key ${path} is not a file of this user; ${OTHER_KEY}.`);
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64');
  if (key.length !== 32)
    throw new UnusableData(`The sealing key ${path} does not hold 32 bytes in base64; ${OTHER_KEY}.`);
  return [key];
}

/*
 * Storage of results. A result with an eSIM's activation code is sealed as a whole, because anyone who has the code can
 * install the SIM.
 */

/** Prefix of a sealed result. No JSON text begins with it. */
const SEALED = 'sealed:';

/** The text of a sealed result, sealed again with the first key; undefined for one that no key opens. */
export function resealedResult(row: { id: string; result: string }, seal: Seal): string | undefined {
  const json = resultJson(row, seal);
  return json && SEALED + Buffer.from(seal.seal(json, recordOf(row.id))).toString('base64');
}

/** The pattern (LIKE) of sealed results in their column. */
export const SEALED_RESULTS = `${SEALED}%`;

/** The text of a result for its column. Throws if a value cannot be written as JSON. */
export function resultText(id: string, result: Fields, seal: Seal): string {
  const json = JSON.stringify(result);
  if (Object.keys(activationsIn(result)).length === 0) return json;
  return SEALED + Buffer.from(seal.seal(json, recordOf(id))).toString('base64');
}

/** The JSON of a row's result; undefined for a row without one, or with one that this installation has not sealed. */
export function resultJson({ id, result }: { id: string; result: string | null }, seal: Seal): string | undefined {
  if (result === null || !result.startsWith(SEALED)) return result ?? undefined;
  try {
    return String(seal.open(Buffer.from(result.slice(SEALED.length), 'base64'), recordOf(id)));
  } catch {
    // The row is damaged or belongs to another installation. Its list is still shown.
    return undefined;
  }
}

function recordOf(id: string): string {
  return `${id}/result`;
}

interface LedgerParts {
  /** The store's area `ledger`. */
  db: Database;
  seal: Seal;
  /** The store's clock: processes compare times in the ledger with it. */
  clock: Clock;
  /** Id under which this process claims actions and jobs. */
  owner: string;
}

/** A part of the ledger, with the other parts that it uses. No surface gets one, because it can write. */
export class LedgerPart<More = unknown> {
  protected readonly parts: LedgerParts & More;

  constructor(parts: LedgerParts & More) {
    this.parts = parts;
  }
}
