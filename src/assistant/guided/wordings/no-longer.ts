import { COURTESY } from '../facts/beginnings.ts';

/*
 * “Don't … any more” ends something that runs, and forbids nothing: "dont send call events to our webhook any more",
 * "don't record calls at front desk any more". It is read as the order to stop it.
 */

const LEAD = String.raw`^(?<lead>\W*${COURTESY})`;
const NOT = String.raw`(?:do\s*n['’]?o?t|dnt|do\s+not|never|(?:no|not)\s+longer|shouldn['’]?t|need\s+not)`;
/** Verbs for work that the platform repeats until a setting ends it. */
const RUNS = 'stream|record|forward|transcribe|deliver|post|push|send|route|notify|report';
const ANY_MORE = String.raw`(?:any\s?more|any\s+longer)`;
const ENDED = new RegExp(
  String.raw`${LEAD}${NOT}\s+(?<verb>${RUNS})\s+(?<what>[^.;!?]*?)[\s,]+${ANY_MORE}(?:[\s,]+(?:please|pls|plz|thanks|thx|now))*[\s.!]*$`,
  'iu',
);
/** Verbs that also say what people do, whose object has to be a record that does it by itself. */
const OF_PEOPLE = /^(?:send|post|push|deliver|notify|report|route)$/iu;
const RECORD = /\b(?:web\s?hooks?|hooks?|routes?|trunks?|(?:work\s?)?groups?)\b|https?:/iu;

const PHONE = String.raw`\(?\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d)`;
/** "Ben no longer wants +1… blocked" */
const BLOCKED = new RegExp(
  String.raw`${LEAD}(?:(?<who>\p{L}[\p{L}-]+)\s+)?no\s+longer\s+(?:wants?|needs?)\s+(?:to\s+have\s+)?(?<phone>${PHONE})\s+(?:to\s+be\s+)?(?:blocked|barred|banned)(?:\s+for\s+(?<owner>\p{L}[\p{L}-]+))?(?=\s*(?:$|[,.;!]|\b(?:please|pls)\b))`,
  'iu',
);

/** The order to stop what a message says not to do any more. Any other message as it is. */
export function withEnded(text: string): string {
  const { lead: before = '', who, phone, owner = who } = BLOCKED.exec(text)?.groups ?? {};
  if (phone !== undefined && owner !== undefined)
    return text.replace(BLOCKED, `${before}unblock ${phone} for ${owner}`);
  const { lead = '', verb, what = '' } = ENDED.exec(text)?.groups ?? {};
  if (verb === undefined || (OF_PEOPLE.test(verb) && !RECORD.test(what))) return text;
  return `${lead}stop ${verb.replace(/e$/u, '')}ing ${what}`;
}
