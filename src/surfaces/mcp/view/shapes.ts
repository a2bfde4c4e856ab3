// Reads what the host sends. Nothing of it is trusted to have its shape.
import {
  type StepState,
  VIEW_STATES,
  type ViewAction,
  type ViewCard,
  type ViewPart,
  type ViewRecord,
} from '../../../cards/view.ts';

/** The members of a JSON object. */
export type Members = Record<string, unknown>;

export function isRecord(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Characters of one text, and entries of one list, that the view draws. */
const MAX_TEXT = 20_000;
const MAX_LIST = 200;
/** Cells of all parts of one card. Tens of thousands would block the window of the host. */
const MAX_CELLS = 5_000;
/** Follows a part that was cut. */
const CUT: ViewPart = { kind: 'note', text: 'More values are not shown here.' };

const STEPS: readonly StepState[] = ['done', 'current', 'rejected', 'ahead'];
const KINDS: readonly ViewRecord['kind'][] = ['order', 'batch', 'confirmation'];

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= MAX_TEXT;
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= MAX_LIST && value.every(isText);

/** Members of these names that are texts. */
function textsOf<Name extends string>(value: Members, ...names: Name[]): { [name in Name]?: string } {
  const found: { [name in Name]?: string } = {};
  for (const name of names) {
    const text = value[name];
    if (isText(text)) found[name] = text;
  }
  return found;
}

function list<T>(value: unknown, read: (entry: unknown) => T | undefined): T[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_LIST) return undefined;
  const entries = value.map(read);
  return entries.every((entry) => entry !== undefined) ? (entries as T[]) : undefined;
}

/** The card in a result; undefined if it has none, or not in this shape. */
export function cardIn(value: unknown): ViewCard | undefined {
  if (!isRecord(value) || !isText(value.title)) return undefined;
  const parts = list(value.parts, partIn);
  if (parts === undefined) return undefined;
  const { state } = value;
  const name = isRecord(state) ? VIEW_STATES.find((one) => one === state.name) : undefined;
  const record = recordIn(value.record);
  return {
    title: value.title,
    parts: withinBudget(parts),
    ...(name !== undefined && isRecord(state) && isText(state.text) && { state: { name, text: state.text } }),
    ...(record && { record }),
    changes: value.changes === true,
    ...(Array.isArray(value.actions) && { actions: value.actions.flatMap((one) => actionIn(one) ?? []) }),
  };
}

/** An action with its texts. The address of any other page is not opened. */
function actionIn(given: unknown): ViewAction | undefined {
  if (!isRecord(given)) return undefined;
  const { id, confirm } = given;
  const { label, value } = textsOf(given, 'label', 'value');
  if ((id !== 'open' && id !== 'withdraw') || label === undefined || value === undefined) return undefined;
  if (id === 'open' && addressIn(value) === undefined) return undefined;
  if (!isRecord(confirm)) return { id, label, value };
  const asked = { title: '', text: '', yes: '', ...textsOf(confirm, 'title', 'text', 'yes', 'no') };
  return { id, label, value, confirm: asked };
}

/** The parts, without the last entries if there are too many in all. A part that is cut says so. */
function withinBudget(parts: readonly ViewPart[]): ViewPart[] {
  let left = MAX_CELLS;
  const take = <T>(entries: readonly T[], size: number): T[] => {
    const taken = entries.slice(0, Math.floor(left / size));
    left -= taken.length * size;
    return taken;
  };
  return parts.flatMap((part): ViewPart[] => {
    if (part.kind === 'table') {
      // A row is an element too, even one without cells.
      const rows = take(part.rows, part.columns.length + 1).map((row) => row.slice(0, part.columns.length));
      const more = (part.more ?? 0) + part.rows.length - rows.length;
      return [{ ...part, rows, ...(more > 0 && { more }) }];
    }
    if (part.kind === 'facts') {
      const rows = take(part.rows, 2);
      return rows.length < part.rows.length ? [{ ...part, rows }, CUT] : [part];
    }
    if (part.kind !== 'steps') return [part];
    const steps = take(part.steps, 2);
    return steps.length < part.steps.length ? [{ ...part, steps }, CUT] : [part];
  });
}

function partIn(value: unknown): ViewPart | undefined {
  if (!isRecord(value)) return undefined;
  const { kind } = value;
  const titles = textsOf(value, 'title', 'folded');
  if (kind === 'facts') {
    const rows = list(value.rows, (row) => (areTexts(row) && row.length === 2 ? (row as [string, string]) : undefined));
    return rows && { kind, rows, ...titles };
  }
  if (kind === 'table') {
    const rows = list(value.rows, (row) => (areTexts(row) ? row : undefined));
    if (!rows || !areTexts(value.columns)) return undefined;
    return { kind, columns: value.columns, rows, ...titles, ...(isCount(value.more) && { more: value.more }) };
  }
  if (kind === 'steps') {
    const steps = list(value.steps, (step) => {
      const state = isRecord(step) ? STEPS.find((one) => one === step.state) : undefined;
      return state !== undefined && isRecord(step) && isText(step.label) ? { label: step.label, state } : undefined;
    });
    return steps && { kind, steps };
  }
  if (kind === 'progress') {
    const { done, of } = value;
    return isCount(done) && isCount(of) && done <= of ? { kind, done, of } : undefined;
  }
  const { text, title = '' } = textsOf(value, 'text', 'title');
  if (text === undefined) return undefined;
  if (kind === 'note') return { kind, text };
  return kind === 'quote' ? { kind, title, text } : undefined;
}

function recordIn(value: unknown): ViewRecord | undefined {
  if (!isRecord(value)) return undefined;
  const kind = KINDS.find((one) => one === value.kind);
  if (kind === undefined || !isText(value.id) || value.id === '') return undefined;
  return { kind, id: value.id, ...(isCount(value.page) && { page: value.page }) };
}

/** The address of a confirmation's page. Any other address is not opened. */
function addressIn(value: unknown): string | undefined {
  if (!isText(value)) return undefined;
  try {
    const { protocol, pathname, username } = new URL(value);
    const isPage = /^https?:$/.test(protocol) && /\/confirm\/[\w-]+$/.test(pathname) && username === '';
    return isPage ? value : undefined;
  } catch {
    return undefined;
  }
}
