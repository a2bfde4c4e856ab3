import { type Element, escaped, type Message, preformatted, rich, say, small } from './text.ts';

/** Explains why a request was refused, in elements that may mention people. */
export function refusalMessage(elements: readonly Element[]): Message {
  return { text: `⛔ ${escaped(refusalText(elements))}`, blocks: [say('⛔ ', ...elements)] };
}

/** A refusal without the list of people at its end, for a place that cannot mention them. */
export function refusalText(elements: readonly Element[]): string {
  const mention = elements.findIndex(({ type }) => type !== 'text');
  const plain = mention < 0 ? elements : elements.slice(0, Math.max(1, mention - 1));
  return plain
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('')
    .trim();
}

/** Secrets that are shown once, for the person who confirmed. Slack copies each block of code with one click. */
export function onceMessage(once: Record<string, string>): Message {
  return {
    text: 'Shown once, only to you.',
    blocks: [
      ...Object.entries(once).flatMap(([name, secret]) => [say('🔑 ', rich.bold(name)), preformatted(secret)]),
      small('Shown once, only to you. Copy it now: Switchboard does not keep it.'),
    ],
  };
}
