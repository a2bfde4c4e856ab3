// Converts the text that a person types as Slack's client does, and builds the blocks that it sends along.
import type { Fields } from '../../lib/values.ts';
import { decoded, encoded } from './mrkdwn.ts';
import { IDS, type State } from './state.ts';

/** Addresses and numbers that Slack's client turns into links. */
const LINKS = /(https?:\/\/[^\s<>]+[^\s<>.,;:!?)'"])|([\w.+-]+@[\w-]+\.[\w.-]*\w)|((?<![\w+])\+\d{7,15}(?!\w))/g;

/**
 * Returns the text of a message as Slack sends it to apps: `&`, `<` and `>` are escaped, `@name` of a person or the app
 * and `#name` of a channel become references, and web and mail addresses and phone numbers become links.
 */
export function typedText(state: State, text: string): string {
  const linked = encoded(text).replace(LINKS, (whole, url?: string, mail?: string) => {
    if (url !== undefined) return `<${url}>`;
    return mail === undefined ? `<tel:${whole}|${whole}>` : `<mailto:${whole}|${whole}>`;
  });
  return linked
    .replace(/(?<![\w<|:])@([\w.-]*\w)/g, (whole, name: string) => {
      const user = [...state.users.values()].find((one) => one.name === name.toLowerCase() && one.id !== IDS.SLACKBOT);
      return user ? `<@${user.id}>` : whole;
    })
    .replace(/(?<![\w<|:])#([\w-]+)/g, (whole, name: string) => {
      const channel = [...state.channels.values()].find((one) => !one.isPrivate && one.name === name.toLowerCase());
      return channel ? `<#${channel.id}|${channel.name}>` : whole;
    });
}

/** The `rich_text` block that Slack sends with a typed message. */
export function richText(text: string, blockId: string): Fields {
  const elements = text.split(/(<[^<>]+>)/).flatMap((part): Fields[] => {
    const reference = /^<([^<>]+)>$/.exec(part)?.[1];
    if (reference === undefined) return part === '' ? [] : [{ type: 'text', text: decoded(part) }];
    const [head = '', label] = reference.split('|');
    if (head.startsWith('@')) return [{ type: 'user', user_id: head.slice(1) }];
    if (head.startsWith('#')) return [{ type: 'channel', channel_id: head.slice(1) }];
    return [{ type: 'link', url: decoded(head), ...(label === undefined ? {} : { text: decoded(label) }) }];
  });
  return { type: 'rich_text', block_id: blockId, elements: [{ type: 'rich_text_section', elements }] };
}
