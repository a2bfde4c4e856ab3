import { describe, expect, it } from 'vitest';
import { sources } from './import-rules.ts';

/*
 * A function that is handed to a constructor, so that a lower room can call a higher one, is an import in disguise. The
 * types of all constructors' parameters are searched for functions: as members, as methods, and under a name of their own.
 */

/** Rooms whose classes call downwards only. */
const ROOMS = /^src\/(?:work|platform|ledger|gate)\//;
/** Members that may be functions: tests replace the clock, and every room writes to the log. */
const ALLOWED = ['clock', 'log'];

/** Functions among the members of a type, by name: `done: () => void`, `told(): void`, `changed: Alias`. */
function functionsIn(type: string, aliases: readonly string[]): string[] {
  const functions = ['\\(*\\([^()]*\\) =>', ...aliases.map((name) => `${name}\\b`)].join('|');
  const members = new RegExp(`(?:^|[{;\\n(,])\\s*(?:readonly )?(\\w+)(?:\\(|\\??: (?:${functions}))`, 'g');
  return [...type.matchAll(members)].map(([, name = '']) => name).filter((name) => !ALLOWED.includes(name));
}

/** Functions that the constructors of these texts take, as "parameters: member". */
function callbacksIn(texts: readonly string[]): string[] {
  const text = texts.join('\n').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const aliases = [...text.matchAll(/^(?:export )?type (\w+) =\s*\([^=]*\) =>/gm)].map(([, name = '']) => name);
  const options = new Map(
    [...text.matchAll(/interface (\w+(?:Options|Parts))(?: extends ([\w, ]+))? \{([\s\S]*?)\n\}/g)].map(
      ([, name = '', bases = '', members = '']) => [name, { bases: bases.split(', '), members }],
    ),
  );
  const inOptions = (name: string): string[] => {
    const found = options.get(name);
    return found ? [...functionsIn(found.members, aliases), ...found.bases.flatMap(inOptions)] : [];
  };
  return [...text.matchAll(/^ {2}constructor\(([\s\S]*?)\) \{/gm)].flatMap(([, parameters = '']) => {
    const named = parameters.match(/\w+(?:Options|Parts)\b/g) ?? [];
    return [...functionsIn(parameters, aliases), ...named.flatMap(inOptions)].map((name) => `${parameters}: ${name}`);
  });
}

describe('functions handed to constructors', () => {
  it('are none in the rooms that call downwards only, but the clock and the log', () => {
    expect(callbacksIn(sources.flatMap(({ file, text }) => (ROOMS.test(file) ? [text] : [])))).toEqual([]);
  });

  it('are found as members, methods, aliases and parameters', () => {
    const text = `
type Alias = (id: string) => void;
interface ThingOptions {
  changed: Alias;
  log: () => void;
  done?: (() => void) | undefined;
  told(): void;
}
class Thing {
  constructor(options: ThingOptions) {
  }
}
class Other {
  constructor(db: Database, { toolOf }: { toolOf: (id: string) => string }, run: () => void) {
  }
}`;
    const found = callbacksIn([text]).map((one) => one.split(': ').at(-1));
    expect(found).toEqual(['changed', 'done', 'told', 'toolOf', 'run']);
  });
});
