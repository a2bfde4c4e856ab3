import { promises } from 'node:fs';
import type { Tool } from '../../catalogue/operation.ts';
import { errorWithCharge } from '../../gate/confirmation.ts';
import type { Gate } from '../../gate/gate.ts';
import { faceOf } from '../../language/outcome.ts';
import { choiceLabel, RecordSearch } from '../../language/records.ts';
import { clean } from '../../language/show.ts';
import { nounOf, referencesIn, withValue } from '../../language/typed-values.ts';
import type { Actor } from '../../lib/actor.ts';
import { type Failure, invalidInput, SwitchboardError } from '../../lib/errors.ts';
import { defined, type Fields, joined, objectIn, recordsIn, textOf } from '../../lib/values.ts';
import { withheldIn } from '../../platform/dialect/redact.ts';
import { callHelp, FOLLOW_USAGE, groupHelp, readOptions, toolHelp, USAGE, usage } from './arguments.ts';
import { readArguments } from './flags.ts';
import { askLine, type CallIo, EXIT, readBytes, type Write, withdrawn } from './io.ts';
import { merge, open, performCall, readOperation, requireNoSecrets, shortLookup } from './performing.ts';
import { reported, requireKnownFields, show, widthOf } from './reporting.ts';

/**
 * `switchboard call`: runs one operation. The answer goes to stdout, errors go to stderr, and the exit status is the
 * outcome.
 */
export function runCall(args: readonly string[], io: CallIo): Promise<number> {
  return reported(io, (out, err) => call(args, io, out, err));
}

async function call(args: readonly string[], io: CallIo, out: Write, err: Write): Promise<number> {
  const asked = readOptions(args);
  const output = { asked, io, out, err };
  const width = widthOf(io);
  // `call help numbers_cancel` is `call numbers_cancel --help`.
  if (asked.words[0] === 'help') return call([...asked.words.slice(1), '--help'], io, out, err);
  if (asked.words.length === 0) {
    if (!asked.help) throw usage(`Name an operation. Usage: ${USAGE}. switchboard call --help lists them.`);
    await out(callHelp(io.tools, width));
    return EXIT.done;
  }
  const follows = asked.help ? null : /^confirmations[_/ -](get|withdraw)(?: (.*))?$/i.exec(asked.words.join(' '));
  if (follows) {
    const [, verb = '', given = ''] = follows;
    const like = FOLLOW_USAGE.replace('get', verb.toLowerCase());
    const action = /^(?:id=)?(act_[\w-]+)$/i.exec(given)?.[1];
    if (action === undefined || asked.json !== undefined)
      throw invalidInput('id', `id: give the id that a call returned, and nothing else: ${like}.`);
    const { gate, close } = await open(io);
    try {
      if (verb.toLowerCase() === 'withdraw') await gate.withdraw(action, io.actor);
      const value = await followed(gate, action, io.actor, asked);
      await show({ kind: 'done', value }, undefined, output);
    } finally {
      await close().catch(() => undefined);
    }
    return EXIT.done;
  }
  const parsed = readOperation(asked.words, io.tools, asked.help);
  if (parsed.kind === 'problem') throw invalidInput(parsed.field, parsed.message);
  if (parsed.kind === 'help') {
    if (parsed.tool) await out(toolHelp(parsed.tool, width));
    else if (parsed.group === undefined) await out(callHelp(io.tools, width));
    else await out(groupHelp(parsed.group, io.tools, width));
    return EXIT.done;
  }

  const { tool } = parsed;
  const fromStdin = asked.json === '-';
  const isArgument = !fromStdin && asked.json?.startsWith('@') !== true;
  let json = asked.json ?? '{}';
  if (fromStdin) json = (await readBytes(io.stdin)).toString('utf8');
  else if (!isArgument)
    json = await promises.readFile(json.slice(1), 'utf8').catch((error: Error) => {
      throw usage(`--json ${json} cannot be read: ${error.message}`);
    });
  const base = objectIn(json);
  if (base === undefined)
    // The error does not repeat the text, which may be secret.
    throw usage('--json must be a JSON object of fields, for example --json \'{"PhoneNumber":"+12015550101"}\'.');
  requireNoSecrets(tool, isArgument ? [parsed.input, base] : [parsed.input]);
  const merged = merge(tool, base, parsed.input, asked.words);
  const human = io.stderr.isTTY === true;
  const canAsk = io.stdin.isTTY === true && human && !fromStdin;
  // `number 0104` goes on to the lookup of the only number found; `numbers find` shows what was found.
  const short = shortLookup(asked.words, io.tools);
  const lookup = short?.find?.tool.id === tool.id ? short : undefined;
  let notes = parsed.notes;
  let input = merged;
  try {
    if (tool.risk !== 'read') requireKnownFields([tool], asked);
    // Only what a person types may be a name. JSON comes from programs.
    if (asked.json === undefined) {
      const named = await withNamedRecords({ tool, input: merged }, io, canAsk && !asked.yes);
      input = named.input;
      notes = [...notes, ...named.notes];
    }
  } catch (error) {
    throw errorWithCharge(error, tool, undefined);
  }
  if (human) for (const note of notes) await err(`${clean(note)}\n`);

  let done = await performCall({ tool, io, asked, canAsk, err }, input);
  const [only, ...others] = recordsIn(done.value.Numbers);
  const isOnly = lookup && only && others.length === 0 && done.value.Unseen === undefined;
  if (isOnly)
    done = await performCall({ tool: lookup.tool, io, asked, canAsk, err }, { [lookup.field]: textOf(only.Number) });
  const shown = isOnly ? lookup.tool : tool;
  if (tool.risk === 'read') requireKnownFields([shown], asked, done.value);
  await show(done, shown, { ...output, input });
  if (tool.risk === 'read' && done.value.Found === 0) return EXIT.refused;
  return done.partly ? EXIT.partly : EXIT.done;
}

export type { CallIo } from './io.ts';

const MAX_NAMED = 10;

/**
 * The input with the records that it names by last digits or a name, a note on each, and their names. If several match,
 * the person at the terminal chooses one. Throws `invalid_input` if nothing matches, or nobody can choose.
 */
export async function withNamedRecords(
  { tool, input }: { tool: Tool; input: Fields },
  io: CallIo,
  canAsk: boolean,
): Promise<{ input: Fields; notes: readonly string[]; labels: readonly string[] }> {
  if (referencesIn(tool, input).length === 0) return { input, notes: [], labels: [] };
  const { gate, close } = await open(io);
  try {
    const resolution = await new RecordSearch(gate, io.tools, io.now ?? Date.now).resolve(tool, input, io.actor);
    if (resolution.kind === 'clear') {
      return {
        input: resolution.input,
        notes: resolution.taken.map(({ text, label }) => `"${text}" was taken for ${label}.`),
        labels: resolution.taken.map(({ label }) => label),
      };
    }
    const { reference, found } = resolution;
    const field = reference.path.join('.');
    const noun = nounOf(reference.field);
    const said = reference.text;
    if (found.hits.length === 0) throw invalidInput(field, `No ${noun} matches "${said}". Nothing was done.`);
    const shown = found.hits.slice(0, MAX_NAMED);
    const listed = shown.map((hit, at) => `  ${canAsk ? `${at + 1}  ` : ''}${hit.value}  ${clean(choiceLabel(hit))}`);
    const list = [...listed, ...(found.hits.length > MAX_NAMED || !found.isWhole ? ['  …'] : [])].join('\n');
    if (!canAsk) throw invalidInput(field, `Which ${noun} is "${said}"? Write one of these in its place:\n${list}`);
    const typed = await askLine(`Which ${noun} is "${said}"?\n${list}\n[1-${shown.length}] `, io);
    const chosen = shown[Number(typed) - 1];
    if (chosen === undefined) throw withdrawn();
    const whole = withValue(resolution.input, reference.path, chosen.value);
    return await withNamedRecords({ tool, input: whole }, io, canAsk);
  } finally {
    await close().catch(() => undefined);
  }
}

/**
 * State and result of a call, as `confirmations_get` returns them over MCP. With `qr`, the result includes the
 * activation code of an eSIM.
 */
async function followed(gate: Gate, id: string, actor: Actor, { qr }: { qr: boolean }): Promise<Fields> {
  const { status, headline, decidedBy, result: shown, error } = await gate.follow(id, actor);
  const isAsked = qr && withheldIn(shown).length > 0;
  const result = (isAsked ? await gate.reveal({ action: id }, actor) : undefined) ?? shown;
  return { id, status, ...defined({ headline, decidedBy, result, error: error && faceOf(error, 'terminal') }) };
}

const SETTLE_USAGE = 'switchboard settle ID [--done | --not-done] [--output json|table]';

const SETTLE_OPTIONS = {
  done: { type: 'boolean' },
  'not-done': { type: 'boolean' },
  output: { type: 'string' },
} as const;

/**
 * Runs `switchboard settle`. It reads an action of unknown outcome now. If the reading does not show the outcome, it
 * takes the word of the person at the terminal. The exit status is the outcome.
 */
export function runSettle(args: readonly string[], io: CallIo): Promise<number> {
  return reported(io, async (out, err) => {
    const { values, positionals } = readArguments(args, SETTLE_USAGE, SETTLE_OPTIONS, true);
    const { done: wasDone = false, 'not-done': wasNot = false, output } = values;
    const [id = ''] = positionals.map((one) => one.replace(/^id=/i, ''));
    if (positionals.length !== 1 || !/^act_[\w-]+$/.test(id))
      throw invalidInput('ID', `ID: give the id that a call returned, and nothing else: ${SETTLE_USAGE}.`);
    if (wasDone && wasNot) throw invalidInput('--done', `--done: give either --done or --not-done: ${SETTLE_USAGE}.`);
    const asked = readOptions(output === undefined ? [] : ['--output', output]);
    const { gate, close } = await open(io);
    try {
      // The reading of the platform comes first: a person's word counts only where it shows nothing.
      const { status, error } = await gate.follow(id, io.actor);
      const isUnknown = status === 'unknown';
      const hasWord = wasDone || wasNot;
      if (isUnknown && !hasWord) {
        const until = (await gate.workedUntil(id)) ?? 0;
        const wait =
          until > Date.now() &&
          `The platform may still be working on it until ${new Date(until).toISOString()}, and it is read again by itself.`;
        const word = `Look on the platform, then say what you saw: switchboard settle ${id} --done, or --not-done.`;
        const message = 'The outcome is unknown.';
        const failure: Failure = error ?? { code: 'server_error', outcome: 'unknown', message };
        throw new SwitchboardError({ ...failure, outcome: 'unknown', next: joined([failure.next, wait || '', word]) });
      }
      if (isUnknown) await gate.settle(id, io.actor, wasDone ? 'done' : 'not_done', 'terminal');
      const value = await followed(gate, id, io.actor, { qr: false });
      await show({ kind: 'done', value }, undefined, { asked, io, out, err });
      if (isUnknown) return EXIT.done;
      if (hasWord) await err(`It is ${status}, not unknown, so --${wasDone ? 'done' : 'not-done'} changed nothing.\n`);
      return { done: EXIT.done, partly: EXIT.partly, failed: EXIT.refused }[status as string] ?? EXIT.notConfirmed;
    } finally {
      await close().catch(() => undefined);
    }
  });
}
