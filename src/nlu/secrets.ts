/*
 * Secrets in a message. What stands behind a word for one is cut out before anything else is read, so that it fills no
 * field and is repeated nowhere.
 */

const WORD = `(?<!\\p{L})(?:pins?|passcodes?|passwords?|passwd|pwd|secrets?|tokens?|keys?|nip|clave|contraseña|(?<!(?:zip|area|postal|post|qr|country)[ -]?)codes?)(?!\\p{L})`;
/** "pin 4711", "pin number 4711", "password: anything", "the pin of 0102 to 4711", "the password of the route is x9". */
const LINKS = [
  String.raw`\s*[:=]\s*(?=\S)`,
  String.raw`(?:\s+number)?\s+(?=\S*\d)`,
  String.raw`\s+is\s+(?!(?:a|the|for|not|no|wrong|missing|invalid|right|correct|still|ok|needed|too|in|on)\b)`,
  String.raw`(?:\s+[\p{L}\d'’-]+){0,8}?\s+(?:is|to|be|as|now)\s+(?=\S*\d)(?=\S{3})`,
];
const SECRET = new RegExp(`(${WORD}(?:${LINKS.join('|')}))([^\\s,;]+)`, 'giu');
/** A whole phone number is none. */
const PHONE = /^\+?1?[2-9]\d{9}\b/;

/** The message without the secrets that it says. */
export function withoutSecrets(message: string): string {
  return message.replace(SECRET, (all: string, words: string, secret: string) =>
    PHONE.test(secret) ? all : `${words}…`,
  );
}
