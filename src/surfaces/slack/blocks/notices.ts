import { type Element, escaped, type Message, rich, say } from './text.ts';

/** Why something was refused, in elements that may mention people. */
export function refusalMessage(elements: readonly Element[]): Message {
  const text = elements.map((element) => (typeof element.text === 'string' ? element.text : '')).join('');
  return { text: `⛔ ${escaped(text)}`, blocks: [say('⛔ ', ...elements)] };
}

/** Secrets that Switchboard made, for the person who confirmed. */
export function onceMessage(once: Record<string, string>): Message {
  return {
    text: 'Shown once, only to you.',
    blocks: [
      say('🔑 Shown once, only to you. Note it now: Switchboard does not keep it.'),
      ...Object.entries(once).map(([name, secret]) => say(rich.bold(name), '  ', rich.code(secret))),
    ],
  };
}
