import { groups } from '../../../tools/groups.ts';
import type { Tool } from '../../catalogue/operation.ts';
import { choiceLabel, RecordSearch } from '../../language/records.ts';
import { clean } from '../../language/show.ts';
import { lookups, nounOf, referencesIn } from '../../language/typed-values.ts';
import { invalidInput } from '../../lib/errors.ts';
import { type Fields, recordsIn, textOf } from '../../lib/json.ts';
import type { CallIo } from './io.ts';
import { open } from './performing.ts';

const MAX_NAMED = 10;

/**
 * The input with the records that it names by last digits or a name, a note on each, and their names. Throws
 * `invalid_input` if nothing or several match.
 */
export async function withNamedRecords(
  { tool, input }: { tool: Tool; input: Fields },
  io: CallIo,
): Promise<{ input: Fields; notes: readonly string[]; labels: readonly string[] }> {
  if (referencesIn(tool, input).length === 0) return { input, notes: [], labels: [] };
  const { gate, close } = await open(io);
  try {
    const search = new RecordSearch(gate, io.tools, io.now ?? Date.now);
    const resolution = await search.resolve(tool, input, io.actor);
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
    const listed = found.hits.slice(0, MAX_NAMED).map((hit) => `  ${hit.value}  ${clean(choiceLabel(hit))}`);
    const more = found.hits.length > MAX_NAMED || !found.isWhole ? ['  …'] : [];
    const list = [...listed, ...more].join('\n');
    throw invalidInput(field, `Which ${noun} is "${said}"? Write one of these in its place:\n${list}`);
  } finally {
    await close().catch(() => undefined);
  }
}

/** The lookup of the only number that a search found; undefined for other answers and operations. */
export function lookupOfOnly(
  tool: Tool,
  found: Fields,
  tools: readonly Tool[],
): { tool: Tool; input: Fields } | undefined {
  const lookup = lookups(tools, groups).find(({ find }) => find?.tool.id === tool.id);
  const [only, ...others] = recordsIn(found.Numbers);
  if (!lookup || !only || others.length > 0 || found.Unseen !== undefined) return undefined;
  return { tool: lookup.tool, input: { [lookup.field]: textOf(only.Number) } };
}
