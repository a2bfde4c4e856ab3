import type { Fields } from '../../src/lib/json.ts';

export type Service = 'sms' | 'voice' | 'data';

/** Severity of a finding: nothing works, one service stops, part of it may be held back, or a note. */
export const LEVELS = ['dead', 'stops', 'limits', 'note'] as const;
export type Level = (typeof LEVELS)[number];

export interface Finding {
  level: Level;
  affects: readonly Service[];
  words: string;
  /** The carrier's message, which is text from outside. */
  quoted?: string;
  /** The tool that fixes the cause. `needs` are required fields whose value a person must choose. */
  fix?: { tool: string; input: Fields; needs?: readonly string[]; words: string };
}

/** A finding as the answer shows it. */
export function findingRow({ affects, words, quoted, fix }: Finding): Fields {
  return {
    Finding: words,
    Affects: affects,
    ...(quoted === undefined ? {} : { CarrierMessage: quoted }),
    ...(fix ? { Fix: fixRow(fix) } : {}),
  };
}

/** A fix as the answer shows it. */
export function fixRow({ tool, input, needs, words }: NonNullable<Finding['fix']>): Fields {
  return { Tool: tool, Input: input, ...(needs ? { Needs: needs } : {}), Does: words };
}
