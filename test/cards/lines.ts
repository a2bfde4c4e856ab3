import { type Part, plainOf } from '../../src/cards/card.ts';

/** A part of a card as lines of text: its title and its lines, or its labels and values. What is read on demand is left out. */
export function linesOf(part: Part): string[] {
  switch (part.kind) {
    case 'note':
      return part.lines.map((line) => `${part.title ? `${part.title}: ` : ''}${plainOf(line)}`);
    case 'quote':
      return [`${plainOf(part.title)}: ${part.text}`];
    case 'facts':
      if (part.brief !== undefined) return [`${part.title}: ${plainOf(part.brief)}`];
      return part.folded === undefined ? part.rows.map(({ label, value }) => `${label}: ${plainOf(value)}`) : [];
    case 'small':
      return [`(${part.text})`];
    case 'rows':
      return [
        ...(part.title === undefined ? [] : [`${part.title} ${part.count}`]),
        ...part.rows.map(({ says, beside, said, actions = [] }) =>
          [[plainOf(says), beside, said].filter(Boolean).join(' | '), ...actions.map(({ label }) => `[${label}]`)].join(
            ' ',
          ),
        ),
      ];
    default:
      return [`[${part.kind}]`];
  }
}
