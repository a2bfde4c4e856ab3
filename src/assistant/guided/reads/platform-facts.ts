import { defined } from '../../../lib/json.ts';
import { answer, type GuidedAnswer, help } from '../answers/answer.ts';
import { nameIn } from '../answers/finder.ts';
import type { Reader } from '../answers/readings.ts';
import { aboutOf, rulesAsked } from '../answers/rules.ts';
import type { Asked } from '../facts/stance.ts';
import { asksWhatStopped } from '../filters/filter-knowledge.ts';

/*
 * These questions ask for facts of the platform, such as the needs, the documents and the duration of a port-in, the texts
 * that a filter stopped, and a PIN.
 */

type Read = (asked: Asked, reader: Reader) => GuidedAnswer | undefined;

const STOPPED =
  /\b(?:what|which|anything|something|any|how\s+many)\b(?:\s+\p{L}+){0,4}?\s+(?:got|gets?|was|were|has\s+been|have\s+been|did\s+(?:the|her|his|their|\p{L}+['’]?s)\s+(?:\p{L}+\s+)?filters?|been)\b[^.;!?]*\b(?:block(?:ed)?|stop(?:ped)?|filter(?:ed)?(?:\s+out)?|caught|catch|held\s+back|flagged)\b|\b(?:did|has|have|does)\b[^.;!?]*\bfilters?\b(?:\s+\p{L}+){0,3}?\s+(?:stop|block|catch|caught|hold|held|flag|filter)\p{L}*(?:\s+(?:anything|something|any|much|back|out|up)\b|\s+(?!from\b|calls?\b|texts?\b|\d)\p{L}+\s+(?:today|lately|yesterday)\b)|\b(?:how\s+many|what|which)\b[^.;!?]*\bfilters?\s+(?:\p{L}+\s+)?(?:stop|block|catch|caught|hold|held|flag)\p{L}*|\b(?:which|what|any|how\s+many)\s+(?:texts?|sms|messages?|calls?)\b[^.;!?]*\b(?:were|was|got|been)\s+(?:blocked|stopped|filtered|caught|flagged)\b/iu;
const NO_LIST_OF_STOPS =
  'The platform keeps no list of what guardian filtering or a filter stopped. “Texts of NUMBER” has those that came through, and “send alerts for NAME to NUMBER” has a notice sent whenever something is stopped. What was changed here on filters is in “what was changed yesterday”';

const BY_US =
  /\b(?:who|we|us|i|did\s+(?:you|ana|lee)|by|numbers?|callers?|contacts?|senders?|lines?|list|request|port\w*|plan|why|data|limit)\b/iu;

/** "What got blocked for ben last week": no list has what a filter stopped. */
const ofStopped: Read = ({ facts, said, clauses, mayUse }, { byId, finder }) => {
  const tool = byId.get('message_search_get');
  const isGuard = asksWhatStopped(said);
  if (!tool || !mayUse(tool.id) || !(isGuard || STOPPED.test(said)) || facts.mentions.length > 1) return undefined;
  if (BY_US.test(isGuard ? said.replace(/\bnumbers?|callers?|by\b/giu, ' ') : said)) return undefined;
  const name = nameIn(facts, clauses);
  if (facts.mentions.length === 0 && name === undefined)
    return isGuard ? help(`${NO_LIST_OF_STOPS}. Nothing was done`) : undefined;
  const input = defined({ PhoneNumber: facts.numbers[0] });
  const find = facts.numbers.length > 0 ? undefined : finder.findFor(tool, input, facts, clauses, true);
  const text =
    'The platform keeps no list of what a filter stopped. The messages of the line are those that came through';
  return { ...answer('lookup', { tool, input, understood: text }, find), isInstead: true, lead: `${text}.` };
};

const PORTED =
  /\b(?:port(?:ed|ing|s)?|port-?ins?|bring\w*|transfer\w*|move\w*|switch\w*|come|coming)\b(?!\s*-?\s*out)/i;
const NEEDS =
  /\b(?:what|which|anything|everything)\b(?:\s+(?:all|else|info\w*|details?|data|documents?|papers?|things?|exactly))*\s+(?:do|does|will|would|should|must|is|are|have)\s+(?:(?:i|we|you|u|she|he|they|(?:the\s+)?customer)\s+)?(?:still\s+)?(?:(?:need|ask|require|collect|get|bring|provide)\w*|to\s+(?:ask|have|get|collect|provide))\b/i;
const OTHERS = /\b(?:cancel\w*|swap|park\w*|reactivat\w*|plan|package|sim|esim)\b/i;

/** "What do I need from her", about a number that comes from another carrier. */
const ofNeeds: Read = ({ facts, said, mayUse }, { byId }) => {
  const tool = byId.get('numbers_portin');
  if (!tool || !mayUse(tool.id) || !NEEDS.test(said) || !PORTED.test(said) || OTHERS.test(said)) return undefined;
  const [phone, ...others] = facts.numbers;
  const check = byId.get('numbers_portin_eligibility');
  const input = { PhoneNumber: phone, TargetClassification: 'Mobile' };
  const needs = `For a port-in, ask the customer for the number, the present carrier, the account number and PIN there, the name and address on the bill, and the ZIP. A landline needs a day, 5 to 10 business days ahead. Nothing was done; “port in ${phone?.slice(-10) ?? 'NUMBER'}” opens the guide, which asks for each`;
  const isChecked = phone !== undefined && others.length === 0 && check !== undefined;
  return { ...help(needs), operation: tool.id, ...(isChecked && { nearest: [{ operation: check.id, input }] }) };
};

const DOCUMENT =
  /\b(?:loa|letter\s+of\s+(?:auth\w+|agency)|csr|proof\s+of\s+\p{L}+|documents?|paperwork|(?:copy\s+of\s+(?:the|her|his|their|a)\s+|phone\s+|last\s+)?bill|invoice)\b/iu;
const SENDS = /\b(?:upload\w*|send\w*|attach\w*|submit\w*|email\w*|e-mail|fax\w*|give|provide|put|post|hand\s+in)\b/i;
const OF_PORT = /\b(?:port\w*|loa|csr|transfer\w*|carrier)\b/i;

/** "Where do I upload the LOA": no operation takes a document. */
const ofDocument: Read = ({ facts, said }) => {
  if (!DOCUMENT.test(said) || !SENDS.test(said) || !OF_PORT.test(said) || facts.message !== undefined) return undefined;
  const told =
    'No operation takes a document: a letter of authorization or a bill cannot be sent from here. The details on the bill are fields of the port-in';
  return { ...help(`${told}. Nothing was done`), operation: 'numbers_portin' };
};

const LANDLINE = /\b(?:land[\s-]?lines?|wire[\s-]?lines?|fixed[\s-]?lines?)\b/i;

/** "How long does a landline port take": the window of the platform for wireline numbers. */
const ofLandline: Read = ({ facts, said, clauses }, { byId }) => {
  const tool = byId.get('numbers_portin');
  const [rule] = LANDLINE.test(said) ? rulesAsked(facts.rest, clauses) : [];
  if (!tool || rule?.operation !== tool.id) return undefined;
  const { title, text } = aboutOf(rule, tool, (id) => byId.get(id));
  const days = text.replace(
    /usually within 1 to 5 business days/i,
    'on the day that the order names, 5 to 10 business days ahead (today and weekends do not count)',
  );
  const about = { title: `${title} (landline)`, text: days };
  return {
    ...help(`You asked about "${title}". A landline needs a day for the port. Nothing was done`),
    operation: tool.id,
    about,
  };
};

const SECRET =
  /^\W*(?:(?:hi|hey|so|and|ok|please|pls|can|could|you|u|tell|show|give|send|me|us|i|we|need|look\s+up|find)[\s,]+)*(?:what(?:['’]?s|\s+(?:is|was|are))?|whats|(?:show|tell|give|see|know|find|look\s+up)(?:\s+(?:me|us))?)\b[^.;!?]*\b(?<what>pin|passcode|password)s?\b(?!\s+(?:do|does|for\s+what|mean|rules?))[^.;!?]{0,24}[?.!\s]*$/iu;
const GENERAL = /\b(?:an?|how|does|do|set|new|change|reset|valid|used|cost\w*|length|digits|wrong|match\w*)\b/i;

/** "Sip password of main sip trunk", without a verb. */
const BARE_SECRET =
  /^\W*(?:(?:the|our)\s+)?(?:(?:sip|trunk|route|webhook|voice|account|login)\s+)+(?<what>password|passcode)s?\s+(?:of|for|on|from)\b[^.;!?]*[?.!\s]*(?:please|pls)?\W*$/iu;

/** "Whats avas pin" asks for a secret, which no read gives back. */
const ofSecret: Read = ({ facts, said, clauses }) => {
  const bare = BARE_SECRET.exec(said)?.groups?.what;
  if (bare !== undefined)
    return {
      ...help(
        `A ${bare.toLowerCase()} is a secret that no read gives back. A new one takes its place: “change the voice route NAME” and “change the webhook ADDRESS” open the forms. Nothing was done`,
      ),
    };
  const what = SECRET.exec(said)?.groups?.what;
  if (what === undefined || GENERAL.test(said)) return undefined;
  if (facts.mentions.length === 0 && nameIn(facts, clauses) === undefined) return undefined;
  return {
    ...help(
      `A ${/^pin/i.test(what) ? 'PIN' : what.toLowerCase()} is a secret that cannot be looked up: no read gives it back. A new port-out PIN takes the place of the old one: write “port-out PIN of NUMBER”. Nothing was done`,
    ),
    operation: 'numbers_portout',
  };
};

/** The answer to such a question. Undefined for any other sentence. */
export function ofPlatformFacts(asked: Asked, reader: Reader): GuidedAnswer | undefined {
  for (const read of [ofStopped, ofNeeds, ofDocument, ofLandline, ofSecret]) {
    const found = read(asked, reader);
    if (found) return found;
  }
  return undefined;
}
