import { TYPED_SECRET } from './placeholders.ts';

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
const DIGITS = whole('[\\p{Nd}-]+', SPOKEN);
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
    const ahead = plain.slice(Math.max(0, index - 120), index);
    return behind(ahead, rest, index + name.length);
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
  if (DIGITS.test(first.bare)) {
    const found = until(({ bare }) => DIGITS.test(bare));
    return how !== 'code' || found.some(({ start, end }) => end - start > 2) ? found : [];
  }
  if (isCode(first)) return [first];
  const isPlain = ({ bare }: Word) => !NO_SECRET.test(bare) && !KNOWN.test(bare);
  // "Wrong" is none, but "correct horse battery staple" may be one.
  const isPhrase = how === 'all' && words.length > 3 && !first.ends && words.slice(1, 4).every(isPlain);
  if (how === 'code' || (!isPlain(first) && !isPhrase) || (how === 'word' && PURPOSE.test(first.bare))) return [];
  return how === 'word' ? [first] : until(isPlain);
}

/** True for a word with a digit or a sign in it, or with capitals inside. */
function isCode({ bare }: Word): boolean {
  return (
    (/\p{Nd}/u.test(bare) && bare.length > 2) ||
    /\p{Ll}\p{Lu}/u.test(bare) ||
    (/\p{L}/u.test(bare) && /[!@#$%^&*+=~]/.test(bare.replace(/!$/, '')))
  );
}
