import { type FoundId, idsIn, type NamedId } from '../catalogue/change.ts';
import type { Look } from '../catalogue/operation.ts';
import type { RecordReference } from '../catalogue/references.ts';
import type { Fields } from '../lib/json.ts';
import { hideUrlSecrets } from '../platform/dialect/url-secrets.ts';

/** Ids that are named for one change. Further ones are shown as they are. */
const MOST_NAMED = 12;

/**
 * Reads the names of the records whose ids stand in these values, and where those records lead. An id without a name, or
 * whose record cannot be read, is left out.
 *
 * @param known names that a check found already
 */
export async function namesOf(
  values: Fields,
  references: readonly RecordReference[],
  read: Look['read'],
  known: Readonly<Record<string, NamedId>> = {},
): Promise<Record<string, NamedId>> {
  const found = idsIn(values)
    .filter(({ id }) => known[id] === undefined)
    .flatMap((one) => {
      const reference = referenceOf(one, references);
      return reference?.read === undefined ? [] : [{ ...one, reference, by: reference.read }];
    });
  const named = await Promise.all(
    found.slice(0, MOST_NAMED).map(async ({ id, reference, by }): Promise<[string, NamedId] | undefined> => {
      const { found: record } = await read(by.operation, by.input(id));
      const name = record && reference.nameOf(record);
      if (record === undefined || name === undefined) return undefined;
      const leads = (reference.leads?.(record) ?? []).map(({ what, to }) => ({ what, to: hideUrlSecrets(to) }));
      return [id, { noun: reference.noun, name: hideUrlSecrets(name), leads }];
    }),
  );
  return { ...known, ...Object.fromEntries(named.filter((entry) => entry !== undefined)) };
}

/** The kind of record that an id has. Where kinds share a prefix, the member that holds the id decides. */
function referenceOf({ id, member }: FoundId, references: readonly RecordReference[]): RecordReference | undefined {
  const prefix = id.slice(0, id.indexOf('-')).toUpperCase();
  const fitting = references.filter(({ ids }) => ids.includes(prefix));
  return fitting.find((reference) => reference.id.includes(member)) ?? (fitting.length === 1 ? fitting[0] : undefined);
}
