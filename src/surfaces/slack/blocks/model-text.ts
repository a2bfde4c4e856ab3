/** Slack's limit for the markdown of one message, with room for what defusing adds. */
const MAX_MESSAGE = 10_000;

/**
 * Text of a model without anything that acts by itself: mentions notify people, and Slack opens links for a preview,
 * which would carry text to the owner of the address.
 */
export function defused(text: string): string {
  return text
    .replace(/<(?=[!@#])/g, '‹')
    .replace(/!\[/g, '[')
    .replace(/`?(\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s<>|"'`)\]]+)`?/gi, '`$1`')
    .replace(/\]\((?=mailto:|tel:|slack:|\/\/)/gi, '] (')
    .replace(/(^|[\s(<|])(www\.[^\s<>|"'`)\]]+)/gi, '$1`$2`');
}

/** The length of the part that ends with a whole word, so that an address is never defused in halves. */
export function wholeWords(text: string): number {
  const end = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n'));
  return end < 0 ? 0 : end + 1;
}

/** Parts that fit into one message each, cut at lines where possible. */
export function messageParts(text: string): string[] {
  const parts: string[] = [];
  for (let rest = text; rest !== ''; ) {
    const line = rest.lastIndexOf('\n', MAX_MESSAGE);
    const end = rest.length <= MAX_MESSAGE ? rest.length : line > MAX_MESSAGE / 2 ? line : MAX_MESSAGE;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return parts;
}
