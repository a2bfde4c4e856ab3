import type { Checked, Look } from '../../src/catalogue/operation.ts';
import { type Fields, isRecord } from '../../src/lib/json.ts';
import { inQuotes } from '../../src/lib/text.ts';
import { setApart } from '../../src/platform/dialect/plain-values.ts';
import { readTexts } from '../../src/platform/dialect/readings.ts';
import { BLOCKS_LISTED, TRAFFIC } from '../surfaces/guard.ts';
import { subscriberOnly } from './before.ts';
import { isFilteringOff, offFindings, saysNoEffect, warned } from './filter-off.ts';
import type { FilterKind } from './filter-reach.ts';
import { neitherDirection } from './filters.ts';
import { withLine } from './named.ts';

/* A new filter's question and outcome follow PLATFORM.md, Guardian filtering. */

/** The consent texts of a new filter. */
export function creationConsent(
  kind: FilterKind,
  input: Readonly<Fields> & { Phone: string },
  known: Fields,
  reasons: string,
) {
  const blocks = blocksText(kind, input);
  const block = blockTitle(kind, input, known);
  const consent = {
    title: block ?? `Create a ${kind.noun} on ${input.Phone}`,
    consequence: [blocks, reasons].filter((text) => text !== '').join(' '),
    undo: 'The filter can be changed or deleted.',
    confirm: 'Create this filter',
    ...(block !== undefined && { says: ['SubscriberId', 'FilterMode', 'ApplyToInbound'] }),
  };
  return saysNoEffect(consent, known);
}

/** Numbers that a title names. */
const MOST_TITLED = 3;

/**
 * The title of a filter that blocks a few numbers and does nothing else: "Block calls from +1… for “Ava Stone” on +1…". Undefined for
 * any other filter.
 */
function blockTitle(kind: FilterKind, input: Readonly<Fields>, { Holder }: Fields): string | undefined {
  const { SubscriberId: _, Phone, FilterMode, ApplyToInbound, [kind.blocked]: blocked, ...others } = input;
  const numbers = readTexts(blocked) ?? [];
  const isBlock =
    FilterMode === BLOCKS_LISTED[kind.traffic] &&
    ApplyToInbound === true &&
    numbers.length > 0 &&
    numbers.length <= MOST_TITLED &&
    numbers.every((one) => /^\+\d{7,15}$/.test(one)) &&
    Object.values(others).every((value) => value === undefined);
  if (!isBlock) return undefined;
  const whose = typeof Holder === 'string' ? ` for ${Holder}` : '';
  const where = typeof Phone === 'string' ? ` on ${Phone}` : '';
  return `Block ${kind.traffic} from ${numbers.join(', ')}${whose}${where}`;
}

/**
 * The check before a filter is created: the customer, the line, which must be theirs, and whether guardian filtering is
 * off, so that it has no effect.
 */
export function beforeCreation(kind: FilterKind) {
  return async (input: Readonly<Fields> & { SubscriberId: string; Phone: string }, look: Look): Promise<Checked> => {
    const { SubscriberId, Phone: phone } = input;
    const [customer, isOff, present] = await Promise.all([
      subscriberOnly({ SubscriberId }, look).then((one) =>
        withLine(one, { field: 'Phone', phone, SubscriberId }, look),
      ),
      isFilteringOff(kind, SubscriberId, look),
      presentFilters(kind, { SubscriberId, Phone: input.Phone }, look),
    ]);
    const checked = present.reduce(warned, customer);
    const [name] = checked.customer?.split(' · ') ?? [];
    const holder = name === undefined ? {} : { Holder: inQuotes(name) };
    if (!isOff) return { ...checked, known: holder };
    const what = (readTexts(input[kind.blocked]) ?? []).length > 0 ? 'block' : 'filter';
    const { known, warning } = offFindings(kind, what, { SubscriberId, customer: checked.customer });
    return { ...warned(checked, warning), known: { ...known, ...holder } };
  };
}

/** Warns of the filters that the line has already: they stay, and go on filtering beside the new one. */
async function presentFilters(
  kind: FilterKind,
  { SubscriberId, Phone }: { SubscriberId: string; Phone: unknown },
  look: Look,
): Promise<string[]> {
  const { found } = await look.read(kind.list, { SubscriberId });
  const rows = Array.isArray(found?.Results) ? found.Results.filter(isRecord) : [];
  const warning = besideWarning(
    kind,
    Phone,
    rows.filter((row) => row.Phone === Phone),
  );
  return warning === undefined ? [] : [warning];
}

/** The warning of a new filter on a line that has these filters already. Undefined if it has none. */
function besideWarning(kind: FilterKind, phone: unknown, present: readonly Fields[]): string | undefined {
  const named = present.map(({ FilterId, FilterMode }) => `${String(FilterId)} (${setApart(String(FilterMode))})`);
  if (named.length === 0) return undefined;
  const stays = named.length === 1 ? 'It stays and goes on filtering' : 'They stay and go on filtering';
  return `${String(phone)} has the ${kind.noun}${named.length === 1 ? '' : 's'} ${named.join(', ')} already. ${stays} beside this one; ${kind.list.replace(/_get$/, '_update')} changes it.`;
}

/** Everything that a new filter blocks, in a sentence. Empty for one that blocks nothing, or that a reason describes. */
function blocksText(kind: FilterKind, input: Readonly<Fields>): string {
  const { FilterMode: mode, ApplyToInbound, ApplyToOutbound } = input;
  const isIdle =
    mode === 'INACTIVE' || mode === 'MONITOR_ONLY' || (ApplyToInbound !== true && ApplyToOutbound !== true);
  if (isIdle) return '';
  const rules = TRAFFIC.find(({ name }) => name === kind.traffic)?.rules ?? [];
  const numbers = (readTexts(input[kind.blocked]) ?? []).length;
  const parts = [
    ...(numbers === 0 ? [] : [`${numbers} ${numbers === 1 ? 'number' : 'numbers'}`]),
    // A reason of the question speaks of unknown numbers.
    ...rules.flatMap(([flag, , what]) => (input[flag] === true && flag !== 'BlockUnknownNumbers' ? [what] : [])),
    ...(['CHILD', 'TEENAGER', 'ADOLESCENT'].includes(String(mode)) ? [`what the level ${String(mode)} names`] : []),
  ];
  const direction =
    ApplyToInbound === true && ApplyToOutbound === true ? '' : ApplyToInbound === true ? 'incoming ' : 'outgoing ';
  if (parts.length === 0) return '';
  return `Blocked in ${direction}${kind.traffic}: ${parts.join(', ')}. ${kind.others}`;
}

/**
 * The warning of a new filter that applies to neither direction, or that blocks everybody because unknown numbers are
 * blocked and none is known. The platform answers Successful (PLATFORM.md, Guardian filtering).
 */
export function newFilterCaution(kind: FilterKind, input: Readonly<Fields>): string | undefined {
  const { ApplyToInbound, ApplyToOutbound, BlockUnknownNumbers } = input;
  if (ApplyToInbound !== true && ApplyToOutbound !== true) return neitherDirection(kind);
  const allowed = input[kind.allowed];
  return BlockUnknownNumbers === true && (!Array.isArray(allowed) || allowed.length === 0)
    ? `No number is on the allow list, so every number is unknown: all ${kind.traffic} that this filter covers are blocked. ${kind.allowed} names those that may pass.`
    : undefined;
}
