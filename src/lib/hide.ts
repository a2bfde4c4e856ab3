import { BoundedMap, decoded, mapLeaves, type Part, pathOf, recordAround, textOf, textsIn } from './values.ts';

/*
 * Removes known secret values from texts, in every form in which a text may contain them. redact.ts finds secrets by
 * the names of their fields.
 *
 * The length and form of a secret determine which parts of a text are replaced:
 * - eight characters or more, not all digits: anywhere in the text, in upper or lower case, also URL-encoded,
 *   JSON-escaped, HTML-escaped, in base64 and in hex;
 * - all digits (a PIN): only a whole run of digits, and not inside a phone number, a date, a decimal number or an id,
 *   so that a PIN of 2024 leaves 2024-01-31 and +12015552024 as they are; from eight digits on also in hex;
 * - three to seven characters: only as a whole word;
 * - fewer than three characters: never, because such a value occurs in too many texts by chance.
 */

export const REDACTED = '«redacted»';
/** Values of at least this length are replaced anywhere in a text. */
const LONG = 8;
const LEAST = 3;
/** The forms of a secret are computed once, because tokens are redacted in every answer. */
const MAX_CACHED = 2000;

export type Hide = (text: string) => string;

const forms = new BoundedMap<string, readonly string[]>(MAX_CACHED);

/** Returns a function that removes these secrets from a text. A text without secrets is returned unchanged. */
export function hider(secrets: Iterable<string>): Hide {
  const anywhere = new Set<string>();
  const digits = new Set<string>();
  const words = new Set<string>();
  for (const secret of new Set(secrets)) {
    if (secret.length < LEAST) continue;
    if (/^\d+$/.test(secret)) {
      digits.add(secret);
      if (secret.length >= LONG) anywhere.add(hex(secret));
    } else if (secret.length < LONG) for (const form of [secret, ...escapes(secret)]) words.add(form);
    else for (const form of formsOf(secret)) anywhere.add(form);
  }
  // The longest first: one secret may begin with another.
  const byLength = (all: Set<string>) => [...all].sort((a, b) => b.length - a.length);
  const [long, short] = [byLength(anywhere), byLength(words)];
  return (text) => {
    let kept = long.length === 0 ? text : withoutForms(text, long);
    for (const word of short) if (word.length <= kept.length && kept.includes(word)) kept = withoutWord(kept, word);
    return digits.size > 0 ? withoutDigits(kept, digits) : kept;
  };
}

/** True if this number is one of the secrets. An AuthCode may be returned as the number 482913. */
export function isSecretNumber(value: number, secrets: Iterable<string>): boolean {
  const text = String(value);
  if (text.length < LEAST) return false;
  for (const secret of secrets)
    if (secret === text || (/^0*\d+$/.test(secret) && secret.replace(/^0+/, '') === text)) return true;
  return false;
}

function formsOf(secret: string): readonly string[] {
  const known = forms.get(secret);
  if (known) return known;
  const written = [secret, secret.toUpperCase(), secret.toLowerCase()].flatMap((text) => [text, ...escapes(text)]);
  const made = [...new Set([...written, ...base64(secret), hex(secret)].map(folded))];
  forms.set(secret, made);
  return made;
}

/**
 * Removes these forms from a text in any letter case. `forms` are folded, the longest first.
 */
function withoutForms(text: string, forms: readonly string[]): string {
  const shortest = forms.at(-1)?.length ?? Number.POSITIVE_INFINITY;
  if (text.length < shortest) return text;
  let kept = text;
  let plain = folded(text);
  for (const form of forms) {
    if (!plain.includes(form)) continue;
    let cut = '';
    let from = 0;
    for (let at = plain.indexOf(form); at >= 0; at = plain.indexOf(form, from)) {
      cut += kept.slice(from, at) + REDACTED;
      from = at + form.length;
    }
    kept = cut + kept.slice(from);
    plain = folded(kept);
  }
  return kept;
}

/**
 * A text in lower case, with every character at the same index. The two letters whose lower case depends on their
 * neighbours or has another length (Σ, İ) become the plain letter.
 */
function folded(text: string): string {
  return text.replaceAll('\u0130', 'i').toLowerCase().replaceAll('\u03c2', '\u03c3');
}

function hex(secret: string): string {
  return Buffer.from(secret).toString('hex');
}

function escapes(secret: string): string[] {
  const url = encodeURIComponent(secret.replace(/\p{Cs}/gu, '\ufffd'));
  const lower = (text: string) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  const form = new URLSearchParams({ s: secret }).toString().slice(2);
  const html = secret.replace(/[&<>"']/g, (sign) => HTML[sign] ?? sign);
  return [url, lower(url), form, lower(form), html, JSON.stringify(secret).slice(1, -1)];
}

const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** The base64 characters that depend on this secret alone, for each of its three possible alignments. */
function base64(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const start = before === 0 ? 0 : before + 1;
    const end = text.length - ((before + bytes.length) % 3 === 0 ? 0 : 1);
    const core = text.slice(start, end);
    return core.length < LONG ? [] : [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Removes a whole word. A letter or digit next to it makes it part of another word; an escape (%3D, \n) does not. */
function withoutWord(text: string, word: string): string {
  let kept = '';
  let from = 0;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at < from) continue;
    const before = text.slice(Math.max(0, at - 6), at);
    const inside = /[\p{L}\p{N}]$/u.test(before) && !/(?:%[0-9A-Fa-f]{2}|\\[bfnrt]|\\u[0-9A-Fa-f]{4})$/.test(before);
    if (inside || /^[\p{L}\p{N}]/u.test(text.slice(at + word.length, at + word.length + 2))) continue;
    kept += text.slice(from, at) + REDACTED;
    from = at + word.length;
  }
  return kept + text.slice(from);
}

/**
 * Texts with digits that are not secrets (phone numbers, dates, times, ids, decimal numbers), then any run of digits.
 */
const DIGITS = new RegExp(
  [
    String.raw`\+\d{7,15}(?!\d)`,
    String.raw`(?<!\d)(?:\+?1[ .-]?)?\(?\d{3}\)?[ .-]{1,2}\d{3}[ .-]\d{4}(?!\d)`,
    String.raw`(?<!\d)\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)?(?!\d)`,
    String.raw`(?<!\d)\d{1,2}/\d{1,2}/\d{4}(?!\d)`,
    '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}',
    '(?<![A-Za-z0-9])[0-9a-fA-F]{12,}(?![A-Za-z0-9])',
    String.raw`(?<![\d.])\d{1,15}\.\d{1,6}(?![\d])`,
    String.raw`\d+`,
  ].join('|'),
  'g',
);
/** The digits of an escape are not part of the number that follows: `%201234` is a space and 1234. */
const ESCAPED_DIGITS = /(%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4})(\d{3,})/g;

function withoutDigits(text: string, digits: ReadonlySet<string>): string {
  // Most texts have none of them, and the pattern is slow.
  if (![...digits].some((one) => text.includes(one))) return text;
  const once = text.replace(DIGITS, (found) => (digits.has(found) ? REDACTED : found));
  if (!once.includes('%') && !once.includes('\\u')) return once;
  return once.replace(ESCAPED_DIGITS, (all, before: string, run: string) =>
    digits.has(run) ? `${before}${REDACTED}` : all,
  );
}

/**
 * Secrets that are recognized by their form: a JWT anywhere, and the value after `AuthCode:` or `"Password":` in a text
 * if it contains a digit ("Password: must be longer" is a sentence).
 */
const JWT = /\beyJ[\w-]{8,400}\.[\w-]{2,4000}\.[\w-]{0,2000}/g;
const LABELLED =
  /\b(auth(?:orization)?[ _-]?code|access[ _-]?token|account[ _-]?secret|client[ _-]?secret|pass(?:word|code)|port[ _-]?out[ _-]?pin|pin)(\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?)([^\s"'\\,;&<>}\]]{3,200})/gi;

export function hideLabelled(text: string): string {
  return text
    .replace(JWT, REDACTED)
    .replace(LABELLED, (all, name: string, between: string, value: string) =>
      /\d/.test(value) ? `${name}${between}${REDACTED}` : all,
    );
}

/*
 * Receivers of events and messages often take a token in the address of the webhook or route. The token is a secret; the
 * rest of the address says where traffic goes, so people must see it.
 */

/** Members that hold the address of a route, a webhook or an announcement, and `Url`, a record's address in a question. */
const ADDRESS =
  /^(?:Url|(?:Callback)?(?:Webhook|Message|Voice)Url|Announcement(?:Url|Uri)|WssUr[il]|Trunk\d?Ur[il]\d?)$/;
/** Words in the name of a parameter whose value is a secret. */
const SECRET_NAME =
  /(?:^|[^a-z])(?:key|sig|code|pin|otp|pw|sid|psk|tk)(?:$|[^a-z])|key$|tok(?:en)?|secret|pass|pwd|auth|cred|sign|api_?key|jwt|hmac|hash|bearer|session|nonce|otp|access|private|kennwort|passwort/;
const NUMBER = /^(?:\+\d{7,15}|1?\d{10})$/;

/** A copy in which the addresses of routes and webhooks do not show the secrets in them. */
export function withoutUrlSecrets<T>(value: T): T {
  // A text that is the name of an address may name the member of a row.
  for (const { name, value: text } of textsIn(value))
    if (ADDRESS.test(name) || ADDRESS.test(text)) return mapLeaves(value, { leaf: withoutSecrets }) as T;
  return value;
}

/** The row of a change names its member, and holds the addresses before and after. */
function withoutSecrets(part: Part): unknown {
  const isAddress = ADDRESS.test(part.name) || ADDRESS.test(textOf(recordAround(part)?.member));
  return isAddress && typeof part.value === 'string' ? hideUrlSecrets(part.value) : part.value;
}

/** An address without its user name and password, and without secret values in its query and fragment. */
export function hideUrlSecrets(url: string): string {
  const [, start = '', user, rest = ''] = /^([a-z][a-z0-9+.-]*:(?:\/\/)?)(?:([^/?#\s]*)@)?(.*)$/is.exec(url) ?? [];
  if (start === '') return url;
  // The user of a SIP address is a name; its password is none.
  const hidden = start.endsWith('//') ? REDACTED : user?.replace(/:.*$/s, `:${REDACTED}`);
  const [, path = '', parameters = ''] = /^([^?#]*)(.*)$/s.exec(rest) ?? [];
  const kept = parameters.replace(/[^?#&;]+/g, (parameter) => {
    const [, name = '', value] = /^([^=]*)=(.*)$/s.exec(parameter) ?? [];
    if (value === undefined) return isSecret('', parameter) ? REDACTED : parameter;
    return value !== '' && isSecret(name, value) ? `${name}=${REDACTED}` : parameter;
  });
  return `${start}${user === undefined ? '' : `${hidden}@`}${path}${kept}`;
}

function isSecret(name: string, value: string): boolean {
  const plain = decoded(value);
  const words = decoded(name).replace(/([a-z])([A-Z])/g, '$1_$2');
  if (SECRET_NAME.test(words.toLowerCase())) return true;
  if (NUMBER.test(plain) || !/^[\w.~+/=$-]{6,}$/.test(plain)) return false;
  // A value that is not a word: letters and digits mixed, a long run without spaces, or a PIN.
  const [hasDigit, hasLower, hasUpper] = [/\d/.test(plain), /[a-z]/.test(plain), /[A-Z]/.test(plain)];
  if (!hasLower && !hasUpper) return hasDigit;
  return plain.length >= 24 || (hasDigit && plain.length >= (hasLower && hasUpper ? 8 : 12));
}

/*
 * Texts that stand for something else and that no field takes: for a removed secret, and for a person of Slack.
 *
 * Those that replace a secret are shown to people and models, who may write them into a field,
 * where they would be sent as if they were the value.
 */

/** Replaces a secret that a person typed into a conversation. */
export const TYPED_SECRET = '[secret removed]';
/** Models change the brackets, the case and the spaces. */
const TYPED = /secret[\s_-]*removed/i;

export const PLACEHOLDER_REFUSED =
  'stands for a secret that was removed; open the form of this operation and enter the value there, or leave the field out';

/** True for a text with such a placeholder in it. */
export function hasPlaceholder(value: unknown): boolean {
  return typeof value === 'string' && (TYPED.test(value) || value.includes(REDACTED));
}

/** A reference of Slack to a person, a channel or a group, without its name: `<@U012AB3CD>`. */
const MENTION = /<(?:[@#]|!subteam\^)[A-Z0-9]{2,30}>/;
const MENTION_REFUSED = 'has a person, channel or group of Slack whose name Slack did not send; write the name';

/** The fields with such a text or reference, by path ("PhoneNumbers.0.ICCID"), and why it is refused. */
export function standInsIn(value: unknown): { field: string; message: string }[] {
  return textsIn(value).flatMap((part) => {
    if (hasPlaceholder(part.value)) return [{ field: pathOf(part), message: PLACEHOLDER_REFUSED }];
    return MENTION.test(part.value) ? [{ field: pathOf(part), message: MENTION_REFUSED }] : [];
  });
}

/*
 * Secrets that people type into a message or a reason: what stands beside a word for a secret, in English and Spanish,
 * and values whose form gives them away. A word that is hidden by mistake costs a question; a secret that is not is
 * kept, shown, or read by a model.
 */

/** Tokens of Slack, model endpoints and code hosts, JWTs, keys, eSIM codes, passwords in URLs, and long random values. */
const FORMS: readonly RegExp[] = [
  /\b(?:x(?:ox[a-z]|app)-[\w-]{8,}|(?:sk|pk|rk)[-_][\w-]{16,}|(?:gh[a-z]_|glpat-)[\w-]{16,}|AKIA[0-9A-Z]{12,})/g,
  /\beyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?|\bLPA:1\$\S+/gi,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /(?<=\b(?:bearer|basic)\s+)[\w.~+/=-]{12,}|(?<=:\/\/[^\s/@:]{0,100}:)[^\s/@]+(?=@)/gi,
  // Ids of the platform have hyphens, and numbers have no letters.
  /\b(?=\w*\d)(?=\w*[a-z])(?=\w*[A-Z])\w{32,}\b|\b(?=[0-9a-fA-F]*\d)(?=[0-9a-fA-F]*[a-fA-F])[0-9a-fA-F]{32,}\b/g,
];

const word = (texts: string) => `(?<![\\p{L}\\p{N}])(?:${texts})(?![\\p{L}\\p{N}])`;
const whole = (...texts: string[]) => new RegExp(`^(?:${texts.join('|')})[!]?$`, 'iu');

/** Words before "code" that make it none of a secret. */
const OPEN =
  'area|zip|postal|country|error|reason|status|state|stock|product|promo|reject(?:ion)?|carrier|dial(?:ing)?|qr';
const ENGLISH = `p[ .]?i[ .]?n\\.?s?|pass[ -]?(?:codes?|words?|phrases?|keys?)|passwd|pwd|pw|secrets?(?! removed\\])|tokens?|keys?|(?<!(?:${OPEN})[ _-])codes?(?! words?)`;
const SPANISH =
  'contrase[ñn]as?|claves?|secretos?|llaves?|c[oó]digos?(?! postal| de (?:[aá]rea|error|estado|pa[ií]s|producto))';
/** A word for a secret. Digits may follow it at once: "PIN4711". */
const NAME = new RegExp(`(?<![\\p{L}\\p{N}])(?:${ENGLISH}|${SPANISH})(?!\\p{L})`, 'giu');

/** What leads from the name to the secret: a sign or a verb, after which all words are the secret, or "to", after which one is. */
const FILL = `(?:\\s*${word("the|an?|my|our|your|his|her|their|its|this|new|now|just|only|number|el|la|su|mi|tu|una?|nuev[oa]|customer'?s?|carrier'?s?|account")})*`;
const SIGN = '[:=→⇒|]+|[-=]+>|\\s[-–—]+(?=\\s)';
const VERB = word("is|are|was|were|be|equals|reads|it['’]s|es|son|era|fue|ser[aá]");
const TO = word('to|as|from|use|using|into|como|usa|usar|(?<=^ )a');
const LEAD = new RegExp(`(?:(?<all>${SIGN}|${VERB})|${TO})(?:${FILL}\\s*(?:${SIGN}|${VERB}))*${FILL}\\s*`, 'giu');
const CLAUSE = /^(?:(?!\s(?:and|but|then|y|pero)\s)(?:[^,;.!?\n]|[.!?](?=\S)))*/iu;
/** Before the name: "with password swordfish", "a PIN of 4821", and "/numbers pin 0101" of a line. */
const GIVES = /(?<!\p{L})(?:with|use|using|enter|try|con|usa|usando)\s+(?:\p{L}+[ -]){0,2}$/iu;
const COMMAND = /^\/?numbers?\s+$/i;

/** Words that are no secret behind a verb: states, and beginnings of another part of the sentence. */
const NO_SECRET = whole(
  "(?:is|was|does|did|do|has|have|can|could|will|would|should)?n[o’']?t|no|none|never|wrong|right|(?:in)?(?:correct|valid)|ok(?:ay)?|fine|good|bad|weak|missing|required|needed|unknown|known|expired|rejected|refused|accepted|locked|lost|forgotten|empty|ready|sent|set|reset|changed|different|same|longer|shorter|too|still|also|already|always|working|there|here|going|asked|gone",
  'and|or|but|than|then|so|because|for|on|in|at|of|by|with|without|while|until|since|unless|after|before|if|when|where|what|which|who|why|how|that|please|thanks?',
  'y|o|pero|porque|para|por|en|de|del|con|sin|si|cuando|que|gracias|mal|(?:in)?(?:correct|necesari|v[aá]lid)[oa]|olvidad[oa]|vencid[oa]|bloquead[oa]',
);
/** Verbs behind "to" that say what a PIN is for. */
const PURPOSE = whole(
  'port|take|move|transfer|leave|switch|bring|keep|cancel|unlock|enter|confirm|log|sign|get|give|make|do|change|set|reset|send|check|use|release|activate|be',
);
const UNIT = /^(?:mb|gb|usd|days?|hours?|minutes?|lines?|digits?|characters?|attempts?|d[ií]gitos|caracteres)\b/i;
const SPOKEN =
  'zero|oh|one|two|three|four|five|six|seven|eight|nine|double|cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve';
/** Digits, also single ones and in words. */
const SPOKEN_DIGITS = whole('[\\p{Nd}-]+', SPOKEN);
const QUOTED = `"[^"\\n]{1,200}"|“[^”\\n]{1,200}”|«[^»\\n]{1,200}»|\`[^\`\\n]{1,200}\`|(?<!\\p{L})['‘][^'’\\n]{1,200}['’](?!\\p{L})`;
const WORDS = new RegExp(`(?:(?<quoted>${QUOTED})|[("'*_~<[]*(?<bare>\\S+?))(?<end>[)"'*_~>\\].,;:?]*)(?=\\s|$)`, 'gu');
/** Phone numbers with their country code, ids of the platform, dates, times, and what was removed already. */
const KNOWN =
  /^(?:(?:tel:)?\+\d[\d().-]{6,}|[A-Z]{2,8}-[0-9a-f]{8}-[0-9a-f-]+|\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2\d\d(?:\d\d)?|\d{1,2}:\d{2}(?:am|pm)?|\[?secret|removed\]?)$/i;
const NATIONAL = /^(?:1[-.]?)?[2-9]\d{2}[-.]?[2-9]\d{2}[-.]?\d{4}$/;

interface Word {
  bare: string;
  start: number;
  end: number;
  isQuoted: boolean;
  /** True if a part of the sentence ends with it. */
  ends: boolean;
}

interface Span {
  start: number;
  end: number;
}

/** A text without the secrets that a person typed into it, and whether there were any. */
export function withoutTypedSecrets(text: string): { text: string; found: boolean } {
  const given = text.normalize('NFC');
  const formed = FORMS.reduce((all, form) => all.replace(form, TYPED_SECRET), given);
  const plain = formed.replace(/[！-～]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) - 0xfee0));
  const names = [...plain.matchAll(NAME)];
  const spans = names.flatMap(({ 0: name, index }, at) => {
    const rest = plain.slice(index + name.length, Math.min(names[at + 1]?.index ?? plain.length, index + 240));
    return behind(plain.slice(Math.max(0, index - 120), index), rest, index + name.length);
  });
  let kept = '';
  let from = 0;
  for (const { start, end } of spans.sort((one, other) => one.start - other.start)) {
    if (start >= from) kept += `${formed.slice(from, start)}${TYPED_SECRET}`;
    from = Math.max(from, end);
  }
  kept += formed.slice(from);
  return { text: kept, found: kept !== given };
}

function wordsOf(text: string, offset: number): Word[] {
  return [...text.matchAll(WORDS)].map(({ 0: found, index, groups = {} }) => {
    const { quoted, bare = '', end = '' } = groups as Record<string, string | undefined>;
    const stop = offset + index + found.length - end.length;
    const inner = quoted ?? bare;
    const ends = /[.,;?!]$/.test(found);
    return { bare: inner, start: stop - inner.length, end: stop, isQuoted: quoted !== undefined, ends };
  });
}

function behind(ahead: string, rest: string, offset: number): Span[] {
  const clause = CLAUSE.exec(rest)?.[0] ?? '';
  const secretAt = (at: number, how: 'all' | 'word' | 'code') => secretOf(wordsOf(rest.slice(at), offset + at), how);
  const found = [...clause.matchAll(LEAD)].flatMap(({ 0: lead, index, groups }) =>
    secretAt(index + lead.length, groups?.all ? 'all' : 'word'),
  );
  if (found.length > 0 || COMMAND.test(ahead)) return found;
  const isOne = /(?<!\p{L})(?:an?|una?|with|con)\s+(?:[\p{L}-]+\s+)?$/iu.test(ahead);
  const gap = (isOne ? /^\s+(?:of|de)\s+/i : /^[\s*_(#]*(?:(?:number|n[uú]mero)\s+)?/i).exec(rest)?.[0] ?? '';
  // "Port-out PIN 2015550105" names a line. "The PIN is 2015550105" gives the secret.
  const isLine = NATIONAL.test(wordsOf(rest.slice(gap.length), 0)[0]?.bare ?? '');
  return isLine ? [] : secretAt(gap.length, GIVES.test(ahead) ? 'word' : 'code');
}

/** The secret that these words begin with, if they do. `how`: all words up to a break, one, or only one like a code. */
function secretOf(words: readonly Word[], how: 'all' | 'word' | 'code'): Span[] {
  const [first, next] = words;
  if (first === undefined || KNOWN.test(first.bare) || (/^\d+$/.test(first.bare) && UNIT.test(next?.bare ?? '')))
    return [];
  const until = (goesOn: (word: Word) => boolean) => {
    const stop = words.findIndex(
      (word, at) => word.ends || words[at + 1] === undefined || !goesOn(words[at + 1] as Word),
    );
    return [{ start: first.start, end: words[stop]?.end ?? first.end }];
  };
  if (first.isQuoted) return [first];
  if (SPOKEN_DIGITS.test(first.bare)) {
    const found = until(({ bare }) => SPOKEN_DIGITS.test(bare));
    return how !== 'code' || found.some(({ start, end }) => end - start > 2) ? found : [];
  }
  // A word with a digit or a sign in it, or with capitals inside.
  if (
    (/\p{Nd}/u.test(first.bare) && first.bare.length > 2) ||
    /\p{Ll}\p{Lu}/u.test(first.bare) ||
    (/\p{L}/u.test(first.bare) && /[!@#$%^&*+=~]/.test(first.bare.replace(/!$/, '')))
  )
    return [first];
  const isPlain = ({ bare }: Word) => !NO_SECRET.test(bare) && !KNOWN.test(bare);
  // "Wrong" is none, but "correct horse battery staple" may be one.
  const isPhrase = how === 'all' && words.length > 3 && !first.ends && words.slice(1, 4).every(isPlain);
  if (how === 'code' || (!isPlain(first) && !isPhrase) || (how === 'word' && PURPOSE.test(first.bare))) return [];
  return how === 'word' ? [first] : until(isPlain);
}
