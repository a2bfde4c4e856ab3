import { type Element, escaped, type Message, preformatted, rich, say, small } from './text.ts';

/** Explains why a request was refused, in elements that may mention people. */
export function refusalMessage(elements: readonly Element[]): Message {
  const text = elements.map((element) => (typeof element.text === 'string' ? element.text : '')).join('');
  return { text: `⛔ ${escaped(text)}`, blocks: [say('⛔ ', ...elements)] };
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
