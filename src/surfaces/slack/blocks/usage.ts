import { scalarText } from '../../../lib/json.ts';

/* Data usage as a bar in text, which reads the same in messages, tables and notifications. */

const CELLS = 10;
const UNITS: Readonly<Record<string, number>> = { KB: 1 / 1024, MB: 1, GB: 1024, TB: 1024 * 1024 };

/**
 * "▓▓▓▓▓▓░░░░ 12.5 of 20 MB". The total is what was used and what remains, as the platform gives them ("12.5 MB").
 * Undefined if either is not an amount.
 */
export function usageBar(used: unknown, remaining: unknown): string | undefined {
  const [spent, left] = [megabytes(used), megabytes(remaining)];
  if (spent === undefined || left === undefined || spent + left === 0) return undefined;
  const total = spent + left;
  const share = Math.round((spent / total) * CELLS);
  // Show neither a full bar while data is left, nor an empty bar after data was used.
  const filled = Math.min(left > 0 ? CELLS - 1 : CELLS, Math.max(spent > 0 ? 1 : 0, share));
  return `${'▓'.repeat(filled)}${'░'.repeat(CELLS - filled)} ${amount(spent)} of ${amount(total)} MB`;
}

function megabytes(value: unknown): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([KMGT]B)$/i.exec(scalarText(value).trim());
  const unit = UNITS[match?.[2]?.toUpperCase() ?? ''];
  return match && unit !== undefined ? Number(match[1]) * unit : undefined;
}

function amount(value: number): string {
  return String(Math.round(value * 100) / 100);
}
