import type { Guide } from '../../../../tools/surfaces/guides/guide.ts';
import { IDS } from '../ids.ts';
import { type Block, button, cut, escaped, type Message, plain, rich, say, small } from './text.ts';

/** Offers guides, each with its button and its command. `asked`: the words that no guide fits. */
export function guideList(guides: readonly Guide[], commandOf: (guide: Guide) => string, asked: string): Message {
  const text = asked.trim();
  const isKnown = text === '' || /^help$/i.test(text);
  const title = isKnown ? 'What do you want to do?' : `No guide is called “${cut(text, 60)}”. These are the guides:`;
  const rows = guides.map(
    (guide, i): Block => ({
      type: 'section',
      text: plain(`${guide.title}: ${lowerFirst(guide.description)}`, 300),
      accessory: button(`${IDS.guide}_${i}`, 'Start', `${guide.name}|`),
    }),
  );
  const commands = guides.map((guide) => `\`${commandOf(guide)}\``).join(', ');
  return {
    text: escaped(title),
    blocks: [say(rich.bold(title)), ...rows, small(`Or type it, with a number or a name after it: ${commands}`)],
  };
}

/** "Eligibility" becomes "eligibility"; "SIM" stays. */
function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
