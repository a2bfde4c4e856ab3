import type { Asked, AskedRow } from '../../../language/asked.ts';
import type { Fields } from '../../../lib/json.ts';
import { IDS } from '../ids.ts';
import type { Reworder } from '../types.ts';
import { pairLines } from './result.ts';
import { actions, type Block, button, type Element, label, lines, quote, rich, say, small } from './text.ts';

/** Characters of all values on one card. Slack accepts 3,000 in a section, and a channel should stay readable. */
const CARD_CHARS = 2_800;
/** Characters of one value on a card. */
const VALUE_CHARS = 900;
/** Characters of one piece of text in a block. */
const PIECE_CHARS = 2_900;
/** Slack accepts 100 blocks in a view. */
const VIEW_BLOCKS = 95;

/** The question on a card. If it does not fit, the card names what is cut and has a button that shows everything. */
export function questionBlocks(asked: Asked, actionId: string, reworded: Reworder): Block[] {
  return [...facts(asked, reworded), ...rowBlocks(asked, actionId)];
}

/** Everything that will be or would have been sent, as far as it fits on a card. */
export function rowBlocks(asked: Asked, actionId: string): Block[] {
  const { shown, cuts } = fitted(asked.rows);
  return [
    ...(shown.length === 0 ? [] : [pairLines(shown.map((row): [string, string] => [row.label, row.value]))]),
    ...(cuts.length === 0
      ? []
      : [
          say('⚠️ ', rich.bold('Some values do not fit on this card.'), ` ${cuts.join(' ')}`),
          actions(`whole:${actionId}`, wholeButton(actionId)),
        ]),
  ];
}

export function wholeButton(actionId: string): Element {
  return button(IDS.everything, 'Show everything', actionId);
}

/** Everything that will be sent, in a modal. */
export function wholeView(asked: Asked, reworded: Reworder): Fields {
  const rows = asked.rows.flatMap((row) =>
    pieces(row.value).map((piece, i) =>
      say(rich.bold(i === 0 ? row.label : `${row.label}, continued`), '\n', rich.text(piece)),
    ),
  );
  const blocks = [say(rich.bold(asked.title)), ...facts(asked, reworded), ...rows];
  const kept = blocks.slice(0, VIEW_BLOCKS);
  if (blocks.length > kept.length) {
    kept.push(
      say(
        `Slack cannot show more here. The remaining ${blocks.length - kept.length} parts are on the confirmation page.`,
      ),
    );
  }
  return { type: 'modal', title: label('What will be sent', 24), close: label('Close', 24), blocks: kept };
}

function facts(asked: Asked, reworded: Reworder): Block[] {
  const named: [string, string][] = [
    ['What happens', reworded(asked.consequence)],
    ['Cost', asked.cost],
    ['Undo', reworded(asked.undo)],
  ];
  const rows = named.filter(([, value]) => value !== '');
  return [
    ...(asked.customer === '' ? [] : [say(rich.bold('Customer'), '  ', asked.customer)]),
    ...(rows.length === 0 ? [] : [lines(rows.map(([name, value]) => [rich.bold(name), '  ', ...amounts(value)]))]),
    ...asked.warnings.flatMap((warning) => pieces(reworded(warning)).map((piece) => say('⚠️ ', piece))),
    ...(asked.statement === ''
      ? []
      : [
          say(rich.bold('By confirming you give this consent')),
          ...pieces(asked.statement).map((piece) => quote(rich.text(piece))),
        ]),
    ...(asked.statementMissing === '' ? [] : [small(asked.statementMissing)]),
  ];
}

/** The rows that fit on a card, and sentences that name what is left out. */
function fitted(rows: readonly AskedRow[]): { shown: AskedRow[]; cuts: string[] } {
  const shown: AskedRow[] = [];
  const cuts: string[] = [];
  let left = CARD_CHARS;
  for (const row of rows) {
    const space = Math.min(VALUE_CHARS, left - row.label.length);
    if (row.value.length <= space) shown.push(row);
    else if (space < 40) {
      cuts.push(`${row.label} is not shown.`);
      continue;
    } else {
      const { text, missing } = beginning(row.value, space);
      shown.push({ label: row.label, value: text });
      cuts.push(`${row.label}: ${missing} not shown.`);
    }
    left -= row.label.length + Math.min(row.value.length, space);
  }
  return { shown, cuts };
}

/** The first part of a value: whole members of a list, or whole characters of a text. */
function beginning(value: string, space: number): { text: string; missing: string } {
  const separator = value.includes('\n') ? '\n' : ', ';
  const members = value.split(separator);
  let end = 0;
  let size = 0;
  while (end < members.length && size + (members[end]?.length ?? 0) + separator.length < space) {
    size += (members[end]?.length ?? 0) + separator.length;
    end += 1;
  }
  // Prose that contains a comma is cut by characters, because its pieces are not members of a list.
  const isList =
    end > 0 && members.every((member) => member.length > 0 && member.length < 100 && !member.includes(' '));
  if (isList) {
    const missing = members.length - end;
    return { text: members.slice(0, end).join(separator), missing: `${missing} of ${members.length} are` };
  }
  const characters = [...value];
  const kept = characters.slice(0, space).join('');
  return { text: kept, missing: `${characters.length - [...kept].length} of ${characters.length} characters are` };
}

/** A text in pieces that fit into a block, cut between characters. */
function pieces(text: string): string[] {
  const characters = [...text];
  const found: string[] = [];
  for (let at = 0; at < characters.length; at += PIECE_CHARS)
    found.push(characters.slice(at, at + PIECE_CHARS).join(''));
  return found.length === 0 ? [''] : found;
}

/** Amounts are set in bold. */
function amounts(text: string): Element[] {
  return text
    .split(/(\d{1,9}(?:\.\d{1,9})? USD)/)
    .filter((piece) => piece !== '')
    .map((piece) => (/^\d.* USD$/.test(piece) ? rich.bold(piece) : rich.text(piece)));
}
