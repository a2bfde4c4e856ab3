import type { Piece, Step, Text } from '../../../cards/card.ts';
import { placeOf, requesterOf } from '../../../cards/requester.ts';
import { clean, formatPhone, stateMark } from '../../../language/show.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { identified } from '../../../lib/actor.ts';
import { recordOf } from '../../../lib/json.ts';
import { plainText } from '../../../lib/words.ts';
import type { Reworder } from '../types.ts';
import { type Block, type Element, escaped, lines, PHONE, rich, sentence, shortDate } from './text.ts';

/* Draws the texts and values of cards in Slack's elements. It knows no operation. */

/** A text of a card in elements. */
export function elementsOf(text: Text, reworded: Reworder = plainText): Element[] {
  if (typeof text === 'string') return values(text);
  return text.flatMap((piece) => (piece === '' ? [] : pieceOf(piece, reworded)));
}

function pieceOf(piece: Piece, reworded: Reworder): Element[] {
  if (typeof piece === 'string') return sentence(reworded(piece));
  if ('strong' in piece) return [rich.bold(piece.strong)];
  if ('said' in piece) return [rich.italic(piece.said)];
  if ('value' in piece) return values(piece.value);
  if ('code' in piece) return [rich.code(piece.code)];
  if ('sent' in piece) return sentValue(piece.sent);
  if ('words' in piece) return sentence(reworded(piece.words));
  if ('bar' in piece) return [rich.text(`${barText(piece.bar)} ${piece.of}`)];
  if ('steps' in piece) return stepLine(piece.steps);
  return [personElement(piece.person, piece.name)];
}

/** A text of a card in mrkdwn. */
export function mrkdwnOf(text: Text, reworded: Reworder = plainText): string {
  return elementsOf(text, reworded)
    .map((element) => {
      if (element.type === 'user') return `<@${String(element.user_id)}>`;
      if (element.type === 'date') return shortDate(Number(element.timestamp) * 1000);
      const shown = escaped(String(element.text));
      return recordOf(element.style).code === true ? `\`${shown}\`` : shown;
    })
    .join('');
}

/** The Slack user of an identity or actor id; undefined for identities of other surfaces. */
export function slackUser(person: string): string | undefined {
  return /^slack:[^/]*\/([A-Z0-9]+)$/.exec(person)?.[1];
}

/**
 * A person: a mention for Slack users, otherwise the identity followed by the name. A display name alone does not identify
 * a person, because people choose it themselves. The user of this computer is called by name; the identity is that name.
 */
export function personElement(person: string, name: string | undefined): Element {
  const slack = slackUser(person);
  if (slack !== undefined) return rich.user(slack);
  const local = /^local:(.+)$/.exec(person)?.[1];
  return rich.text(local !== undefined && (name === undefined || name === local) ? local : identified(person, name));
}

/** The person who decided; undefined before a decision. */
export function deciderElement({ decidedPerson, decidedBy }: Action): Element | undefined {
  if (decidedPerson === undefined) return decidedBy === undefined ? undefined : rich.text(decidedBy);
  return personElement(decidedPerson, decidedBy);
}

/** The requester and the surface on which they asked, in mrkdwn. */
export function requesterText(action: Parameters<typeof requesterOf>[0] & Pick<Action, 'surface'>): string {
  return mrkdwnOf([requesterOf(action), placeOf(action)]);
}

const CELLS = 10;

/** A share of 1 as a bar in text, which reads the same in messages, tables and notifications. */
export function barText(share: number): string {
  // Show neither a full bar while something is left, nor an empty bar after something was used.
  const filled = Math.min(share < 1 ? CELLS - 1 : CELLS, Math.max(share > 0 ? 1 : 0, Math.round(share * CELLS)));
  return `${'▓'.repeat(filled)}${'░'.repeat(CELLS - filled)}`;
}

const STEP_MARKS: Readonly<Record<Step['state'], string>> = { done: '✅', current: '🔵', rejected: '❌', ahead: '⚪' };

/** The steps of a port-in with its position, in one line. */
export function stepLine(steps: readonly Step[]): Element[] {
  return steps.flatMap(({ label, state }, i) => {
    const lead = `${i === 0 ? '' : '  ›  '}${STEP_MARKS[state]} `;
    if (state === 'done' || state === 'ahead') return [rich.text(`${lead}${label}`)];
    return [rich.text(lead), rich.bold(label), rich.text(state === 'rejected' ? ' (rejected)' : ' (current)')];
  });
}

/** Pairs of label and value, one line each, which also reads well on a phone. */
export function pairLines(pairs: readonly (readonly [string, string])[]): Block {
  return lines(
    pairs.map(([name, text]) => {
      // A line of a value must not read as another row.
      const shown = text.replaceAll('\n', '\n    ');
      // The filter of a list is not a state.
      return [rich.bold(name), '  ', ...(name === 'Filter' ? [shown] : values(shown))];
    }),
  );
}

/** An id, which people copy. */
export const ID = /^[A-Z]{2,7}-[A-Za-z0-9._-]{4,}$/;
/** A SIM's serial number. */
const SIM = /^\d{18,21}[\dFf]?$/;
const PHONES = /^\+\d{7,15}(, \+\d{7,15})+$/;
const MAX_VALUE = 2_000;

/** A number in both notations, numbers and ids as code; undefined for any other text. */
function codesOf(text: string): Element[] | undefined {
  if (PHONE.test(text)) {
    const { national, e164 } = formatPhone(text);
    return national === e164 ? [rich.code(e164)] : [rich.text(`${national}  `), rich.code(e164)];
  }
  if (PHONES.test(text))
    return text.split(', ').flatMap((one, i) => [...(i === 0 ? [] : [rich.text(', ')]), rich.code(one)]);
  return ID.test(text) ? [rich.code(text)] : undefined;
}

/** A value exactly as it is sent. */
function sentValue(text: string): Element[] {
  const [, phone, whose] = /^(\+\d{7,15}) (\(.+\))$/.exec(text) ?? [];
  if (phone !== undefined && whose !== undefined) return [...sentValue(phone), rich.text(` ${whose}`)];
  return codesOf(text) ?? [rich.text(text)];
}

/** One value as one element. */
export function value(text: string): Element {
  const [first, ...others] = values(text);
  return first !== undefined && others.length === 0 ? first : rich.text(text);
}

/** One value of a record: states with a mark, times in the reader's zone. */
export function values(raw: string): Element[] {
  const text = clean(raw);
  const codes = codesOf(text);
  if (codes) return codes;
  if (SIM.test(text)) return [rich.code(text)];
  const at = timeIn(text);
  if (at !== undefined) return [rich.date(at)];
  // "Acme Mobile (AID-…)".
  const [, name, id] = /^(.+ )\(([A-Z]{2,7}-[\w.-]{4,})\)$/.exec(text) ?? [];
  if (name !== undefined && id !== undefined) return [rich.text(name), rich.code(id)];
  const mark = stateMark(text);
  if (mark !== '') return [rich.text(`${mark} ${text}`)];
  if (text.length <= MAX_VALUE) return [rich.text(text)];
  return [rich.text(`${text.slice(0, MAX_VALUE)}… (${text.length - MAX_VALUE} more characters: JSON)`)];
}

/** A time with its zone, as epoch ms. A date without a time is not converted. */
export function timeIn(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}
