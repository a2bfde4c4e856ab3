import type { Fields } from '../../src/lib/json.ts';
import { text } from './before.ts';
import type { Criteria, UsesMeant } from './criteria.ts';
import type { Directory } from './directory.ts';
import type { LineUses } from './line-uses.ts';
import { matches, type Query, queryOf } from './search-term.ts';

/* A route or a plan that a search names by a line which uses it: "route of 0104", "voice route of Ava Stone". */

const OF_LINE = /^(?:(?<service>message|voice)\s+)?(?:route|plan)\s+of\s+(?<line>\S.*)$/i;

/** The line by which a criterion names a route or a plan, and the kind of route that it says. */
function lineIn(wanted: string | undefined): { query: Query; service: string | undefined } | undefined {
  const { line, service } = OF_LINE.exec(wanted ?? '')?.groups ?? {};
  return line === undefined ? undefined : { query: queryOf(line), service: service?.toLowerCase() };
}

/** True if the records of subscribers say which line a criterion means. */
export function namesHolder({ Route, Plan }: Criteria): boolean {
  return [Route, Plan].some((one) => lineIn(one)?.query.by === 'name');
}

/** The routes and the plans of the lines that the criteria name. Criteria that name none are left out. */
export function usesOfLines(
  { Route, Plan }: Criteria,
  rows: readonly Fields[],
  uses: LineUses,
  directory: Directory,
): Partial<UsesMeant> {
  const [route, plan] = [lineIn(Route), lineIn(Plan)];
  const linesOf = (query: Query) => rows.filter((row) => matches(query, row, directory));
  const idsOf = (row: Fields) => [
    ...(route?.service === 'voice' ? [] : [text(row.MessageRouteId)]),
    ...(route?.service === 'message' ? [] : [text(row.VoiceRouteId)]),
  ];
  const set = (values: readonly (string | undefined)[]) =>
    new Set(values.flatMap((value) => value?.toLowerCase() ?? []));
  return {
    ...(route && { routes: set(linesOf(route.query).flatMap(idsOf)) }),
    ...(plan && { plans: set(linesOf(plan.query).map((row) => text(uses.planOf(row, directory).PackageId))) }),
  };
}
