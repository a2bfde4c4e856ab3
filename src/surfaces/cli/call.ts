import { promises } from 'node:fs';
import { errorWithCharge } from '../../gate/confirmation.ts';
import { clean } from '../../language/show.ts';
import { invalidInput } from '../../lib/errors.ts';
import { followed, readFollow } from './following.ts';
import { callHelp, groupHelp, toolHelp, USAGE } from './help.ts';
import { type CallIo, EXIT, readAll, type Write } from './io.ts';
import { lookupOfOnly, withNamedRecords } from './names.ts';
import { readOptions, usage } from './options.ts';
import { open, Performing } from './performing.ts';
import { check, checkRole, isShortLookup, merge, readJson, readOperation, requireNoSecrets } from './reading.ts';
import { reported, requireKnownFields, show, widthOf } from './reporting.ts';

/**
 * `switchboard call`: runs one operation. The answer goes to stdout, errors go to stderr, and the exit status is the
 * outcome.
 */
export function runCall(args: readonly string[], io: CallIo): Promise<number> {
  return reported(io, (out, err) => call(args, io, out, err));
}

/** The message for a person whose words fit no operation, with the command that reads them as they are. */
function inPlainWords(message: string, words: readonly string[]): string {
  const isSyntax = words.length < 2 || words.some((word) => /[="\\]/.test(word));
  const hasWayOut = words.length < 4 && /Did you mean|: switchboard /.test(message);
  return isSyntax || hasWayOut ? message : `${message} In plain words: switchboard ask "${clean(words.join(' '))}"`;
}

async function call(args: readonly string[], io: CallIo, out: Write, err: Write): Promise<number> {
  const asked = readOptions(args);
  const output = { asked, io, out, err };
  const width = widthOf(io);
  if (asked.words.length === 0 || asked.words[0] === 'help') {
    if (asked.help || asked.words[0] === 'help') {
      await out(callHelp(io.tools, width, io.groups));
      return EXIT.done;
    }
    throw usage(`Name an operation. Usage: ${USAGE}. switchboard call --help lists them.`);
  }
  const action = asked.help ? undefined : readFollow(asked.words, asked.json);
  if (action !== undefined) {
    const { gate, close } = await open(io);
    const value = await followed(gate, action, io.actor, asked).finally(() => close().catch(() => undefined));
    await show({ kind: 'done', value, mismatched: [] }, undefined, output);
    return EXIT.done;
  }
  const parsed = readOperation(asked.words, io.tools, asked.help);
  if (parsed.kind === 'problem')
    throw invalidInput(
      parsed.field,
      io.stdout.isTTY === true ? inPlainWords(parsed.message, asked.words) : parsed.message,
    );
  if (parsed.kind === 'help') {
    if (parsed.tool) await out(toolHelp(parsed.tool, width));
    else if (parsed.group === undefined) await out(callHelp(io.tools, width, io.groups));
    else await out(groupHelp(parsed.group, io.tools, width, io.groups?.[parsed.group]));
    return EXIT.done;
  }

  const { tool } = parsed;
  const fromStdin = asked.json === '-';
  const isArgument = !fromStdin && asked.json?.startsWith('@') !== true;
  const base = asked.json === undefined ? {} : readJson(await jsonText(asked.json, io.stdin));
  requireNoSecrets(tool, isArgument ? [parsed.input, base] : [parsed.input]);
  const merged = merge(tool, base, parsed.input, asked.words);
  const human = io.stderr.isTTY === true;
  const canAsk = io.stdin.isTTY === true && human && !fromStdin;
  let notes = parsed.notes;
  let input = merged;
  try {
    requireKnownFields(tool, asked);
    checkRole(tool, io);
    // Only what a person types may be a name. JSON comes from programs.
    if (asked.json === undefined) {
      const named = await withNamedRecords({ tool, input: merged }, io);
      input = named.input;
      notes = [...notes, ...named.notes];
    }
    check(tool, input, io);
  } catch (error) {
    throw errorWithCharge(error, tool, undefined);
  }
  if (human) for (const note of notes) await err(`${clean(note)}\n`);

  let done = await new Performing({ tool, io, asked, canAsk, human, err }).run(input);
  // `number 0104` goes on to the lookup of the only number found; `numbers find` shows what was found.
  const only = isShortLookup(asked.words, io.tools) ? lookupOfOnly(tool, done.value, io.tools) : undefined;
  if (only) done = await new Performing({ tool: only.tool, io, asked, canAsk, human, err }).run(only.input);
  await show(done, only?.tool ?? tool, { ...output, input });
  if (tool.risk === 'read' && done.value.Found === 0) return EXIT.refused;
  return done.partly ? EXIT.partly : EXIT.done;
}

/** The JSON that --json names: `-` is standard input, `@FILE` a file, anything else the JSON itself. */
async function jsonText(given: string, stdin: CallIo['stdin']): Promise<string> {
  if (given === '-') return readAll(stdin);
  if (!given.startsWith('@')) return given;
  try {
    return await promises.readFile(given.slice(1), 'utf8');
  } catch (error) {
    throw usage(`--json ${given} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export type { CallIo } from './io.ts';
