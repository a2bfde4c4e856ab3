import type { Tool } from '../../catalogue/operation.ts';
import { wordsOf } from '../../language/sentence.ts';
import type { Fields } from '../../lib/json.ts';
import type { GuidedAnswer } from './answer.ts';
import { withNumber } from './numbers.ts';

/* Messages with several orders: each part is read on its own, and offered with a button of its own. */

const JOINT =
  /(?:\s*[,;.!]+\s+(?:(?:and|then|also|plus|after\s+that)\s+)*|\s+(?:and\s+then|and\s+also|and|then|plus)\s+)/giu;
const POLITE = /^(?:(?:please|pls|plz|also|then|now|can|could|you|u|just)\s+)+/iu;
/** Stands for the line of the part before it. */
const IT = /\b(?:it|that\s+(?:line|number)|the\s+(?:line|number)|this\s+(?:line|number))\b/iu;
const TO_THEM = /^(?<deed>(?:text|message|tell|sms)\s+)(?:her|him|them)\b/iu;
const LINE = /(?<![\d-])[#…*]*\d{4}(?![\w-])|\+?1?[\s.-]?\(?[2-9]\d{2}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d)/gu;

/** The parts of a message that each begin with a deed of their own, with the line that "it" stands for. */
export function partsOf(said: string): string[] {
  const pieces = said.trim().split(JOINT).filter(Boolean);
  const joints = [...said.trim().matchAll(JOINT)].map(([joint]) => joint);
  const parts: string[] = [];
  for (const [at, piece] of pieces.entries()) {
    if (parts.length === 0 || begins(piece)) parts.push(piece.replace(POLITE, ''));
    else parts.push(`${parts.pop() ?? ''}${joints[at - 1] ?? ' '}${piece}`);
  }
  return parts.map((part, at) => {
    const before = parts.slice(0, at).join(' ').match(LINE) ?? [];
    const [line] = new Set(before).size === 1 && !part.match(LINE) ? before : [];
    if (line === undefined) return part.trim();
    const to = part.trim().replace(TO_THEM, `$<deed>${line.trim()}`);
    // The text of a message stays as it is.
    return to === part.trim() ? to.replace(IT, line.trim()) : to;
  });
}

function begins(piece: string): boolean {
  const [first] = wordsOf(piece.replace(POLITE, ''));
  if (/^(?:text|message|tell|sms|hold|put|give|swap|turn|set|move)\b/iu.test(piece.replace(POLITE, ''))) return true;
  return first !== undefined && !first.isPast && first.acts.length > 0;
}

/** The button of one part. Undefined for a part that is no change that can be offered. */
export function buttonOf(part: string, answer: GuidedAnswer, tool: Tool | undefined): Button | undefined {
  const isOffer = answer.kind === 'form' || answer.kind === 'question';
  if (!isOffer || !tool || answer.each || answer.isUnclear) return undefined;
  const [query] = Object.values(answer.find?.input ?? {});
  const found = typeof query === 'string' ? withNumber(tool, answer, query).input : answer.input;
  const title = titleOf(tool, answer);
  // A SIM is swapped by the change of the line's status, whose form asks for the new SIM.
  if (answer.guide === 'swap_sim') {
    const PhoneNumbers = [{ Number: String(query ?? found.PhoneNumber ?? found.Number ?? '') }];
    return PhoneNumbers[0]?.Number === ''
      ? undefined
      : { operation: 'numbers_status', label: labelOf(title, part), input: { StatusChange: 'swap-sim', PhoneNumbers } };
  }
  return { operation: tool.id, label: labelOf(title, part), input: found };
}

type Button = NonNullable<GuidedAnswer['nearest']>[number];

/** "Put on hold: 0101" */
function labelOf(title: string, part: string): string {
  const lines = part.match(LINE) ?? [];
  return lines.length === 0 ? title : `${title}: ${lines.map((line) => line.trim()).join(', ')}`.slice(0, 70);
}

const STATUS: Readonly<Record<string, string>> = {
  park: 'Put on hold',
  activate: 'Activate',
  'swap-sim': 'Swap a SIM',
};

/** The name of a change in people's words. */
export function titleOf(tool: Tool, { input, guide }: { input: Fields; guide?: string | undefined }): string {
  if (guide === 'swap_sim') return 'Swap a SIM';
  if (tool.id === 'numbers_status') return STATUS[String(input.StatusChange)] ?? tool.title;
  if (tool.id === 'numbers_update' && input.AssignedSubscriberId !== undefined) return 'Give a line to a customer';
  if (tool.id === 'numbers_update' && 'CnamFirstName' in input) return 'Change the caller name';
  return tool.title;
}
