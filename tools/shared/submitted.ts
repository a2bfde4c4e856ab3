import type { LocalHistory } from '../../src/catalogue/operation.ts';
import type { Fields } from '../../src/lib/json.ts';
import { text } from './before.ts';

const PORT_IN: ReadonlySet<string> = new Set(['numbers_portin', 'numbers_portin_update']);
/** Fields that a carrier may object to. The password is left out of every record. */
const SHOWN = [
  'CurrentCarrierName',
  'CurrentAccountNumber',
  'CurrentBillingAddress',
  'SubscriberName',
  'PortInDate',
  'TargetPortinClassification',
  'ICCID',
] as const;

/**
 * The details with which a port-in was submitted through this installation, including corrections. Only the last four
 * characters of the account number are shown. Undefined for an order that was placed elsewhere.
 */
export async function submittedWith(orderId: string, history: LocalHistory): Promise<Fields | undefined> {
  const sent = (await history.sentAbout(orderId)).filter(({ operation }) => PORT_IN.has(operation));
  if (sent.length === 0) return undefined;
  // Calls are listed newest first, so a later correction replaces earlier values.
  const latest = (field: string) => sent.find(({ shown }) => shown[field] !== undefined)?.shown[field];
  const details = SHOWN.map((field) => [
    field,
    field === 'CurrentAccountNumber' ? masked(latest(field)) : latest(field),
  ]);
  return Object.fromEntries(details.filter(([, value]) => value !== undefined));
}

/** "…2345". A short value is hidden whole. */
function masked(value: unknown): string | undefined {
  const whole = text(value);
  if (whole === undefined) return undefined;
  return whole.length > 6 ? `…${whole.slice(-4)}` : '…';
}
