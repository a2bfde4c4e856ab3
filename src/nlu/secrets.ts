/*
 * Secrets in a message. What stands behind a word for one is cut out before anything else is read, so that it fills no
 * field and is repeated nowhere.
 */

const WORD = `(?:pins?|passcodes?|passwords?|passwd|pwd|secrets?|tokens?|keys?|nip|clave|contraseña|(?<!(?:zip|area|postal|post|qr|country)[ -]?)codes?)`;
const LINK = String.raw`(?:\s+(?:number|now|should\s+be|is|are|was|to|as|of)\b|\s*[:=])`;
/** A secret that a link leads to, or a value with a digit right behind its word. */
const SECRET = new RegExp(
  String.raw`\b(${WORD}${LINK}*(?:\s*[:=]|\s+(?:is|to|as))\s*)([^\s,;]+)|\b(${WORD}(?:\s+number)?\s+)(?=\S*\d)([^\s,;]+)`,
  'giu',
);
/** What is known to be none: whole phone numbers, last digits, and words that go on with the sentence. */
const NO_SECRET =
  /^(?:0\d{3}|\+?1?[2-9]\d{9}|for|on|of|the|his|her|a|an|in|port|set|new|wrong|missing|invalid|correct)$/i;
const REMOVED = '…';

/** The message without the secrets that it says. */
export function withoutSecrets(message: string): string {
  return message.replace(SECRET, (all: string, link?: string, linked?: string, word?: string, beside?: string) =>
    NO_SECRET.test(linked ?? beside ?? '') ? all : `${link ?? word}${REMOVED}`,
  );
}
