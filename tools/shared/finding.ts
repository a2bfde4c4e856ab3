import { defined, type Fields } from '../../src/lib/json.ts';

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
  /** The route that it speaks of: its member in the number's record. */
  route?: 'MessageRouteId' | 'VoiceRouteId';
  /** The numbers that a filter blocks. */
  blocked?: readonly string[];
  /** The tool that fixes the cause. `needs` are required fields whose value a person must choose. */
  fix?: { tool: string; input: Fields; needs?: readonly string[]; words: string };
}

/** A route that a finding speaks of. */
export interface FoundRoute {
  name: string | undefined;
  /** Lines on it that are not cancelled; undefined if they were not read. */
  lines: number | undefined;
}

/** A finding as the answer shows it. */
export function findingRow(
  finding: Finding,
  routes: { [member in 'MessageRouteId' | 'VoiceRouteId']?: FoundRoute } = {},
): Fields {
  const { affects, words, quoted, blocked, fix } = finding;
  const route = finding.route && routes[finding.route];
  return {
    Finding: words,
    Affects: affects,
    ...defined({ CarrierMessage: quoted, Route: route?.name, LinesOnRoute: route?.lines }),
    ...(blocked === undefined || blocked.length === 0 ? {} : { Blocked: blocked }),
    ...(fix ? { Fix: fixRow(fix) } : {}),
  };
}

/** A fix as the answer shows it. */
export function fixRow({ tool, input, needs, words }: NonNullable<Finding['fix']>): Fields {
  return { Tool: tool, Input: input, ...(needs ? { Needs: needs } : {}), Does: words };
}
