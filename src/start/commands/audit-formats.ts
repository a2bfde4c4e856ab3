import { tools } from '../../../tools/index.ts';
import { csvLine } from '../../batches/csv.ts';
import { type ChangeLine, changeData, changeText } from '../../cards/card.ts';
import { filesOf } from '../../cards/change-rows.ts';
import { changeOf } from '../../ledger/action.ts';
import type { AuditEntry } from '../../ledger/audit.ts';
import { objectIn } from '../../lib/json.ts';
import { jsonText, visible } from '../../lib/text.ts';
import { VERSION } from '../../lib/version.ts';

/* Entries of the audit trail for other programs. Every text in an entry may be a stranger's. */

/** A format with one line for each entry. */
export interface EntryFormat {
  /** The first line of a file; empty if there is none. */
  heading: string;
  line(entry: AuditEntry): string;
}

/** The changes of an entry's action, and their destinations. Records are named by number or id, as the platform does. */
interface Changed {
  changes: (ChangeLine & { member?: string })[];
  leads: { what: string; before: string; after: string }[];
}

function changedOf({ known, operation }: AuditEntry): Changed | undefined {
  const change = changeOf({ known: objectIn(known ?? '') ?? {} });
  if (change === undefined) return undefined;
  const files = filesOf(tools.find(({ id }) => id === operation));
  return {
    changes: change.rows.map((row) => ({
      ...changeData(row, {}, files),
      ...(row.member !== undefined && { member: row.member }),
    })),
    leads: change.leads.map(({ what, from = '', to }) => ({
      what: visible(what),
      before: visible(from),
      after: visible(to),
    })),
  };
}

/** The changes in one text: "+12015550101 Data limit: 90 MB → 300 MB; …". */
function changedText(entry: AuditEntry): string {
  const { changes = [], leads = [] } = changedOf(entry) ?? {};
  return [
    ...changes.map((line) => `${line.of} ${line.what}: ${changeText(line)}`),
    ...leads.map((lead) => `${lead.what}: ${changeText({ of: '', ...lead })}`),
  ].join('; ');
}

const timeOf = ({ at }: AuditEntry) => new Date(at).toISOString();

const jsonl: EntryFormat = {
  heading: '',
  line: (entry) => {
    const { at: _at, known: _known, change_digest, prev, hash, ...rest } = entry;
    const { changes = null, leads = null } = changedOf(entry) ?? {};
    return `${jsonText({ at: timeOf(entry), ...rest, changes, leads, change_digest, prev, hash })}\n`;
  },
};

/** The columns of CSV, and their cells. */
const COLUMNS: Readonly<Record<string, (entry: AuditEntry) => string | number | null>> = {
  Entry: ({ seq }) => seq,
  Time: timeOf,
  What: ({ what }) => what,
  Operation: ({ operation }) => operation,
  Action: ({ action }) => action,
  Requester: ({ requester }) => requester,
  Decider: ({ decider }) => decider,
  Way: ({ way }) => way,
  By: ({ who }) => who,
  Reason: ({ reason }) => reason,
  Batch: ({ batch }) => batch,
  Changes: changedText,
  Detail: ({ detail }) => detail,
  Hash: ({ hash }) => hash,
};

const csv: EntryFormat = {
  heading: csvLine(Object.keys(COLUMNS)),
  line: (entry) => csvLine(Object.values(COLUMNS).map((cell) => String(cell(entry) ?? ''))),
};

/** Severities of CEF, 0 to 10. Steps that are not named have 3. */
const SEVERITY: Readonly<Record<string, number>> = { unknown: 7, failed: 5, partly: 5, revealed: 5 };

const cef: EntryFormat = {
  heading: '',
  line: (entry) => {
    const { seq, at, what, operation, action, requester, decider, way, who, reason, batch, detail, hash } = entry;
    const name = `${operation} ${what}`;
    const head = ['Switchboard', 'switchboard', VERSION, what, name, String(SEVERITY[what] ?? 3)].map(cefHead);
    const members: Readonly<Record<string, string | number | null>> = {
      rt: at,
      externalId: seq,
      act: operation,
      suser: requester,
      duser: decider,
      outcome: what,
      reason,
      msg: detail,
      ...labelled([
        ['action', action],
        ['way', way],
        ['by', who],
        ['batch', batch],
        ['changes', changedText(entry)],
        ['hash', hash],
      ]),
    };
    const extension = Object.entries(members)
      .filter(([, value]) => value !== null && value !== '')
      .map(([key, value]) => `${key}=${cefValue(String(value))}`);
    return `CEF:0|${head.join('|')}|${extension.join(' ')}\n`;
  },
};

/** The members that CEF leaves to the sender: `cs1Label=action cs1=act_…`. */
function labelled(pairs: readonly (readonly [string, string | null])[]): Record<string, string> {
  const found = pairs.flatMap(([label, value], at) =>
    value === null || value === '' ? [] : [[`cs${at + 1}Label`, label] as const, [`cs${at + 1}`, value] as const],
  );
  return Object.fromEntries(found);
}

/** A field of the header, in one line. */
function cefHead(text: string): string {
  return visible(text).replace(/[\\|]/g, '\\$&').replace(/\s/g, ' ');
}

/** A value of the extension, in one line. */
function cefValue(text: string): string {
  return visible(text).replace(/[\\=]/g, '\\$&').replace(/\t/g, ' ').replace(/\n/g, '\\n');
}

export const FORMATS: Readonly<Record<'jsonl' | 'csv' | 'cef', EntryFormat>> = { jsonl, csv, cef };
