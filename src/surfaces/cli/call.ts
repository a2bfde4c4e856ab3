import { promises } from 'node:fs';
import { groups } from '../../../tools/groups.ts';
import type { Tool } from '../../catalogue/operation.ts';
import { errorWithCharge } from '../../gate/confirmation.ts';
import { faceOf } from '../../language/outcome.ts';
import { choiceLabel, RecordSearch } from '../../language/records.ts';
import { clean } from '../../language/show.ts';
import { nounOf, referencesIn, withValue } from '../../language/typed-values.ts';
import { type Failure, invalidInput, SwitchboardError } from '../../lib/errors.ts';
import { defined, type Fields, joined, objectIn, recordsIn, textOf } from '../../lib/values.ts';
import { withheldIn } from '../../platform/dialect/redact.ts';
import { callHelp, FOLLOW_USAGE, groupHelp, type Options, readOptions, toolHelp, USAGE, usage } from './arguments.ts';
import { readArguments } from './flags.ts';
import { askLine, type CallIo, EXIT, readBytes, type Terminal, withdrawn } from './io.ts';
import { merge, performCall, readOperation, requireNoSecrets, shortLookup } from './performing.ts';
import { reported, requireKnownFields, show } from './reporting.ts';

/**
 * `switchboard call`: runs one operation. The answer goes to stdout, errors go to stderr, and the exit status is the
 * outcome.
 */
export function runCall(args: readonly string[], io: CallIo): Promise<number> {
  return reported(io, (terminal) => call(args, terminal));
}

async function call(args: readonly string[], terminal: Terminal): Promise<number> {
  const { tools, out, err, human, width } = terminal;
  const asked = readOptions(args);
  // `call help numbers_cancel` is `call numbers_cancel --help`.
  if (asked.words[0] === 'help') return call([...asked.words.slice(1), '--help'], terminal);
  if (asked.words.length === 0) {
    if (!asked.help) throw usage(`Name an operation. Usage: ${USAGE}. switchboard call --help lists them.`);
    await out(callHelp(tools, width, groups));
    return EXIT.done;
  }
  const follows = asked.help ? null : /^confirmations[_/ -](get|withdraw)(?: (.*))?$/i.exec(asked.words.join(' '));
  if (follows) {
    const [, verb = '', given = ''] = follows;
    const like = FOLLOW_USAGE.replace('get', verb.toLowerCase());
    const action = /^(?:id=)?(act_[\w-]+)$/i.exec(given)?.[1];
    if (action === undefined || asked.json !== undefined)
      throw invalidInput('id', `id: give the id that a call returned, and nothing else: ${like}.`);
    if (verb.toLowerCase() === 'withdraw') await (await terminal.openDoor()).gate.withdraw(action, terminal.actor);
    await showAction(action, asked, terminal);
    return EXIT.done;
  }
  const parsed = readOperation(asked.words, tools, asked.help);
  if (parsed.kind === 'problem') throw invalidInput(parsed.field, parsed.message);
  if (parsed.kind === 'help') {
    if (parsed.tool) await out(toolHelp(parsed.tool, width));
    else if (parsed.group === undefined) await out(callHelp(tools, width, groups));
    else await out(groupHelp(parsed.group, tools, width, groups[parsed.group]));
    return EXIT.done;
  }

  const { tool } = parsed;
  const fromStdin = asked.json === '-';
  const isArgument = !fromStdin && asked.json?.startsWith('@') !== true;
  let json = asked.json ?? '{}';
  if (fromStdin) json = (await readBytes(terminal.stdin)).toString('utf8');
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
  const here = { ...terminal, canAsk: terminal.canAsk && !fromStdin };
  // `number 0104` goes on to the lookup of the only number found; `numbers find` shows what was found.
  const short = shortLookup(asked.words, tools);
  const lookup = short?.find?.tool.id === tool.id ? short : undefined;
  let notes = parsed.notes;
  let input = merged;
  try {
    if (tool.risk !== 'read') requireKnownFields([tool], asked);
    // Only what a person types may be a name. JSON comes from programs.
    if (asked.json === undefined) {
      const named = await withNamedRecords(tool, merged, { ...here, canAsk: here.canAsk && !asked.yes });
      input = named.input;
      notes = [...notes, ...named.notes];
    }
  } catch (error) {
    throw errorWithCharge(error, tool, undefined);
  }
  if (human) for (const note of notes) await err(`${clean(note)}\n`);

  let done = await performCall(tool, input, asked, here);
  const [only, ...others] = recordsIn(done.value.Numbers);
  const isOnly = lookup && only && others.length === 0 && done.value.Unseen === undefined;
  if (isOnly) done = await performCall(lookup.tool, { [lookup.field]: textOf(only.Number) }, asked, here);
  const shown = isOnly ? lookup.tool : tool;
  if (tool.risk === 'read') requireKnownFields([shown], asked, done.value);
  await show(done, shown, asked, terminal, input);
  if (tool.risk === 'read' && done.value.Found === 0) return EXIT.refused;
  return done.partly ? EXIT.partly : EXIT.done;
}

const MAX_NAMED = 10;

/**
 * The input with the records that it names by last digits or a name, a note on each, and their names. If several match,
 * the person at the terminal chooses one. Throws `invalid_input` if nothing matches, or nobody can choose.
 */
export async function withNamedRecords(
  tool: Tool,
  input: Fields,
  terminal: Terminal,
): Promise<{ input: Fields; notes: readonly string[]; labels: readonly string[] }> {
  if (referencesIn(tool, input).length === 0) return { input, notes: [], labels: [] };
  const { tools, canAsk, actor, now = Date.now } = terminal;
  const { gate } = await terminal.openDoor();
  const resolution = await new RecordSearch(gate, tools, now).resolve(tool, input, actor);
  if (resolution.kind === 'clear')
    return {
      input: resolution.input,
      notes: resolution.taken.map(({ text, label }) => `"${text}" was taken for ${label}.`),
      labels: resolution.taken.map(({ label }) => label),
    };
  const { reference, found } = resolution;
  const field = reference.path.join('.');
  const noun = nounOf(reference.field);
  const said = reference.text;
  if (found.hits.length === 0) throw invalidInput(field, `No ${noun} matches "${said}". Nothing was done.`);
  const shown = found.hits.slice(0, MAX_NAMED);
  const listed = shown.map((hit, at) => `  ${canAsk ? `${at + 1}  ` : ''}${hit.value}  ${clean(choiceLabel(hit))}`);
  const list = [...listed, ...(found.hits.length > MAX_NAMED || !found.isWhole ? ['  …'] : [])].join('\n');
  if (!canAsk) throw invalidInput(field, `Which ${noun} is "${said}"? Write one of these in its place:\n${list}`);
  const typed = await askLine(`Which ${noun} is "${said}"?\n${list}\n[1-${shown.length}] `, terminal);
  const chosen = shown[Number(typed) - 1];
  if (chosen === undefined) throw withdrawn();
  return withNamedRecords(tool, withValue(resolution.input, reference.path, chosen.value), terminal);
}

/**
 * Shows the state and the result of a call, as `confirmations_get` returns them over MCP. With `--qr`, the result includes
 * the activation code of an eSIM.
 */
async function showAction(id: string, asked: Options, terminal: Terminal): Promise<void> {
  const { gate } = await terminal.openDoor();
  const { status, headline, decidedBy, result: shown, error } = await gate.follow(id, terminal.actor);
  const isAsked = asked.qr && withheldIn(shown).length > 0;
  const result = (isAsked ? await gate.reveal({ action: id }, terminal.actor) : undefined) ?? shown;
  const more = defined({ headline, decidedBy, result, error: error && faceOf(error, 'terminal') });
  await show({ kind: 'done', value: { id, status, ...more } }, undefined, asked, terminal);
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
  return reported(io, async (terminal) => {
    const { values, positionals } = readArguments(args, SETTLE_USAGE, SETTLE_OPTIONS, true);
    const { done: wasDone = false, 'not-done': wasNot = false, output } = values;
    const [id = ''] = positionals.map((one) => one.replace(/^id=/i, ''));
    if (positionals.length !== 1 || !/^act_[\w-]+$/.test(id))
      throw invalidInput('ID', `ID: give the id that a call returned, and nothing else: ${SETTLE_USAGE}.`);
    if (wasDone && wasNot) throw invalidInput('--done', `--done: give either --done or --not-done: ${SETTLE_USAGE}.`);
    const asked = readOptions(output === undefined ? [] : ['--output', output]);
    const { actor } = terminal;
    const { gate } = await terminal.openDoor();
    // The reading of the platform comes first: a person's word counts only where it shows nothing.
    const { status, error } = await gate.follow(id, actor);
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
    if (isUnknown) await gate.settle(id, actor, wasDone ? 'done' : 'not_done', 'terminal');
    await showAction(id, asked, terminal);
    if (isUnknown) return EXIT.done;
    const word = `--${wasDone ? 'done' : 'not-done'}`;
    if (hasWord) await terminal.err(`It is ${status}, not unknown, so ${word} changed nothing.\n`);
    return { done: EXIT.done, partly: EXIT.partly, failed: EXIT.refused }[status as string] ?? EXIT.notConfirmed;
  });
}
