import { wordsOf } from '../../../language/sentence.ts';
import { isNoName } from '../answers/filter-owners.ts';
import { COURTESY } from '../facts/beginnings.ts';
import { isName } from './complaints.ts';
import type { Plainer } from './plain-words.ts';

/*
 * Changes in the words of a report or a wish: "spam from +1… keeps coming to 0101, make it stop", "ben's new
 * email is …", "cancelled 0104 by mistake, undo that". They are put into plain orders.
 */

const WHOLE = String.raw`\+?1?[\s.-]?\(?[2-9]\d{2}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d)`;
const LINE = String.raw`(?:(?:number|line)\s+)?(?:[#…*]*(?<!\d)\d{4}(?![\w-])|${WHOLE})`;
const NAME = String.raw`(?!(?:the|a|an|our|my|his|her|their|its|it|that|this|who|us|me|customer|client)\b)\p{L}[\p{L}-]+(?:\s+\p{Lu}[\p{L}-]+)??`;
const MAIL = String.raw`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`;

const SPAM =
  /\b(?:spam\w*|scam\w*|robo\s?calls?|harass\w*|stalk\w*|bother\w*|pester\w*|annoy\w*|prank\w*|junk|(?:keeps?|wo\s?n['’]?t\s+stop|always|constantly)\s+(?:calling|texting|ringing|messaging|coming))\b/iu;
const MADE_TO_STOP =
  /\b(?:(?:do|fix|try)\s+(?:something|smth|sth|anything|it|that|this)(?:\s+about\s+(?:it|that|this|them))?(?=\s*(?:$|[.!,;]|please|pls))|take\s+care\s+of\s+(?:it|that|this)|make\s+(?:it|this|that|them|him|her)\s+stop|(?:stop|end|kill|block|shut)\s+(?:it|this|that|them|him|her|those|these)\b|put\s+(?:a\s+stop|an\s+end)\s+to|get\s+rid\s+of\s+(?:him|her|them|it|that|this)|(?:wants?|likes?|needs?)\s+(?:it|that|this|them|him|her|those|these)\s+(?:all\s+)?(?:to\s+)?(?:be\s+)?(?:stop|end|block|gone|over|off)\w*|(?:wants?|asks?|asked|asking|likes?|needs?)\s+(?:us\s+)?(?:to\s+)(?:(?:have|get)\s+(?:it|that|this|them|him|her)\s+)?(?:stop|end|block|be\s+left\s+alone|get\s+rid\s+of)\w*|(?:stop|end|kill)\s+(?:(?:the|all|this|that|these|those|getting)\s+)*(?:spam\w*|scam\w*|junk|robo\s?calls?|harass\w*|calls?|texts?|messages?)\s+)/iu;
const REACHES = new RegExp(
  String.raw`\b(?:to|spamming|calling|texting|harassing|bothering|pestering|annoying|spams|harasses|bothers|for|on)\s+(?<who>${NAME})`,
  'iu',
);

/** "Ben still gets texts from": whom they reach. */
const GETS = new RegExp(
  String.raw`(?<![\p{L}-])(?<who>${NAME})\s+(?:(?:is|was|keeps?|still|always|constantly|just)\s+)*(?:gets?|got|getting|receives?|receiving|received)\b`,
  'iu',
);

/** The only customer of a sentence: "Ava says she's getting creepy messages from +1…", "ava's mum is upset about calls of +1…". */
function onlyName(text: string): string | undefined {
  const said = text.replace(SPAM, ' ').replace(OF_TRAFFIC, ' ');
  const found = [
    ...said.matchAll(
      /(?<before>\b(?:of|for|to|by)\s+)?(?<![\p{L}'’-])(?<name>\p{L}[\p{L}-]+)(?<has>['’]s)?(?![\p{L}-])/giu,
    ),
  ]
    .map(({ groups = {} }) => ({ name: groups.name ?? '', isSure: Boolean(groups.before ?? groups.has) }))
    .filter(({ name }) => isName(name) && !isNoName(name));
  const isCapital = found.some(({ name }) => /^\p{Lu}/u.test(name));
  const likely = isCapital ? found.filter(({ name }) => /^\p{Lu}/u.test(name)) : found.filter(({ isSure }) => isSure);
  const [only, ...others] = new Set((likely.length > 0 ? likely : found).map(({ name }) => name));
  return others.length === 0 ? only : undefined;
}

/** "Creepy messages" */
const OF_TRAFFIC = /\b\p{L}+\s+(?=(?:calls?|texts?|sms|messages?)\b)/giu;

/** "Spam from +1… keeps coming to 0101, make it stop": the caller is blocked for the line. */
function spamStopped(text: string): Plainer {
  const callers = [...new Set(text.match(new RegExp(WHOLE, 'gu')) ?? [])];
  const [caller = ''] = callers;
  const left = text.replace(caller, ' ');
  const lines = [...new Set(left.match(/(?<![\d-])\d{4}(?![\w-])/gu) ?? [])];
  if (callers.length !== 1 || lines.length > 1 || /["“„?]/u.test(text)) return { text, told: [] };
  // A complaint names what comes from the caller.
  const comes = /\b(?:calls?|texts?|sms|messages?|callers?)\s+(?:\p{L}+\s+){0,4}?(?:from|by)\s*$/iu.test(
    text.slice(0, text.indexOf(caller)),
  );
  if (!(SPAM.test(left) || comes) || !MADE_TO_STOP.test(left)) return { text, told: [] };
  const who = [REACHES.exec(left), GETS.exec(left)].map((one) => one?.groups?.who).find(isName) ?? onlyName(left);
  const owner = lines[0] ?? who;
  const what = /\b(?:texts?|texting|sms|messag\w*)\b/iu.test(left) ? 'texts from ' : '';
  return owner === undefined ? { text, told: [] } : { text: `block ${what}${caller.trim()} for ${owner}`, told: [] };
}

const CALLS_OUT = String.raw`(?:calls?(?:\s+(?:out|someone|people|customers|anyone|anybody))?|rings?|dials?|phones?|makes?\s+(?:a\s+)?calls?)`;
const SHOWN_NAME = String.raw`(?:show|display|have|use|put)\s+(?:up\s+)?(?:(?:the|as|a)\s+)*(?:caller[\s-]*(?:id|name)(?:\s+name)?\s+|cnam\s+)?(?:as\s+)?["“„](?<name>[^"“”„]{1,40})["”“]`;
const SHOWS_NAME = new RegExp(
  String.raw`^(?<head>\W*${COURTESY})${SHOWN_NAME}\s+(?:when|whenever|every\s+time)\s+(?<line>${LINE})\s+${CALLS_OUT}\s*[.!]*$`,
  'iu',
);

/** "Show caller name "Acme Taxi" when 0102 calls" is no condition. */
function shownName(text: string): Plainer {
  const { head = '', line, name } = SHOWS_NAME.exec(text)?.groups ?? {};
  if (line === undefined) return { text, told: [] };
  return { text: `${head}set the caller name of ${line} to "${name}"`, told: [] };
}

const TO_UNLIMITED = new RegExp(
  String.raw`\b(?<deed>change|switch|move|upgrade|update|set|put)\s+(?:the\s+)?(?:(?:plan|package|bundle|tariff)\s+(?:of|for|on)\s+(?<line>${LINE}|${NAME})|(?<owner>${NAME}|${LINE})['’]s\s+(?:plan|package|bundle|tariff))\s+(?:over\s+)?(?:to|onto)\s+(?:the\s+)?(?<plan>unlimited|student|senior|youth|kids|business|premium|standard)(?=\s*(?:$|[,.;!]|\b(?:please|pls|from|but|only|starting|now|today|tomorrow)\b))`,
  'iu',
);

/** "Change plan of 0101 to unlimited": the word is the name of a plan here. */
function toNamedPlan(text: string): Plainer {
  const { line, owner = line, plan } = TO_UNLIMITED.exec(text)?.groups ?? {};
  return {
    text: plan === undefined ? text : text.replace(TO_UNLIMITED, `move ${owner} to the ${plan} plan`),
    told: [],
  };
}

const NEW_MAIL = new RegExp(
  String.raw`^(?<head>\W*${COURTESY})(?<who>${NAME})(?:['’]s?)?\s+(?:new|correct|current|right)\s+e-?mail(?:\s+add?ress)?\s*(?:is|:|=|should\s+be|will\s+be)?\s+(?<mail>${MAIL})(?<end>.*)$`,
  'iu',
);

/** The end of "Bens" and "Avas", and not of "James" and "Lucas". */
const OF_NAME = /(?<=^(?:\p{L}{2}a|\p{L}+[^aeiousy]))s$/iu;

/** "Bens new email is …" */
function newMail(text: string): Plainer {
  const { head = '', who, mail, end = '' } = NEW_MAIL.exec(text)?.groups ?? {};
  const plain = who?.replace(/['’]s$/u, '');
  const alone = plain?.replace(OF_NAME, '');
  return isName(alone)
    ? { text: `${head}change the email of ${alone} to ${mail}${end}`, told: [] }
    : { text, told: [] };
}

const OUT_PIN = String.raw`(?:(?:transfer|port(?:ing)?(?:[\s-]?out)?|number\s+transfer|npac)\s+(?:out\s+)?(?:pin|code|passcode))`;
const LEAVES = new RegExp(
  String.raw`^(?<head>\W*${COURTESY})(?<who>${NAME}|${LINE})\s+(?:(?:is|are|wants\s+to|will|be|now|just|has|have)\s+)*(?:leav|mov|switch|go|port)\p{L}*\b[^.;!?]*?\b(?:asks?|asking|needs?|wants?|requires?|requested|asked)\b[^.;!?]*?\b${OUT_PIN}[\s.!]*$`,
  'iu',
);
const PIN_OF = new RegExp(
  String.raw`^(?<head>\W*${COURTESY})(?:(?:get|give|make|set|create|need|generate)\s+(?:me\s+|us\s+)?)?(?:an?\s+|the\s+)?${OUT_PIN}\s+(?:for|of|on)\s+(?<who>${NAME})(?:['’]s)?[\s.!]*(?:please|pls|plz)?[\s.!]*$`,
  'iu',
);

/** "Ben is leaving to T-Mobile and they ask for a transfer pin" */
function outPin(text: string): Plainer {
  const { head = '', who } = (LEAVES.exec(text) ?? PIN_OF.exec(text))?.groups ?? {};
  if (who === undefined || !(isName(who) || /\d{4}$/u.test(who))) return { text, told: [] };
  // "Ava is leaving us with 0103": the line that is named.
  const [line] = new RegExp(LINE, 'iu').exec(text) ?? [];
  if (line !== undefined) return { text: `${head}set a port-out pin for ${line}`, told: [] };
  return { text: `${head}set a port-out pin for ${/\d/u.test(who) ? who : `${who}'s line`}`, told: [] };
}

const TEXTS_TO = new RegExp(
  String.raw`^(?<head>\W*${COURTESY})(?:route|forward|deliver|push|post|send|relay|pipe)\s+(?:(?:all|the|any)\s+)*(?:incoming|inbound|received)?\s*(?:texts?|sms|messages?)\s+(?:(?:sent|coming|that\s+come)\s+(?:in\s+)?)?(?:for|of|on|to|from|at)\s+(?<line>${LINE})\s+(?:to|at|into)\s+(?<url>https?:\S+)`,
  'iu',
);

/** "Route incoming texts for 0103 to https://…" */
function textsTo(text: string): Plainer {
  return { text: text.replace(TEXTS_TO, '$<head>send inbound texts of $<line> to $<url>'), told: [] };
}

const MISTAKE = String.raw`(?:by\s+(?:mistake|accident|error)|accidentally|in\s+error|wrongly|mistakenly|too\s+(?:early|soon|fast))`;
const UNDONE = new RegExp(
  String.raw`^\W*(?:(?:oops|sorry|ok|hey|hi|uh|oh|no|damn|shit|so|i|we|somebody|someone|he|she|they|my\s+colleague|just|had|have|has|${MISTAKE})[\s,]+)*(?<deed>cancell?ed|disconnected|terminated|closed|killed|deleted|parked|suspended|paused|froze|put|held)\s+(?<line>${LINE}|${NAME}['’]s\s+(?:line|number))(?<hold>\s+on\s+(?:hold|pause))?(?:\s+${MISTAKE})?[\s,;.!–—-]+(?:(?:please|pls|plz|can|could|you|u|and|so|now|need\s+to)\s+)*(?:undo|revert|reverse|roll\s*back|restore|take\s+(?:it|that)\s+back|bring\s+it\s+back|get\s+it\s+back)\b(?:\s+(?:that|it|this|the\s+(?:change|cancell?ation|cancel|hold)))?[\s,]*(?:please|pls|plz|asap|now|quick(?:ly)?|right\s+away)?[\s.!]*$`,
  'iu',
);

const BACK = String.raw`(?:(?:have|get|got|bring|give|want|wants|take|put)\s+(?:(?:it|that|her|him|them|the|his|their|line|number)\s+)*back|undo|undone|restor\w*|recover\w*|reinstat\w*|un-?cancel\w*|reviv\w*)`;
/** "0108 was cancelled by mistake during porting, can she have it back?" */
const ENDED = '(?:cancell?ed|disconnected|terminated|closed|killed|deleted)';
const BY_WHOM = String.raw`(?:(?:we|i|he|she|they|somebody|someone|my\s+colleague|a\s+colleague|an\s+agent)\s+(?:(?:just|had|have|has|${MISTAKE})\s+)*${ENDED}\s+)`;
const WAS_ENDED = new RegExp(
  String.raw`^(?=[^.;!?]*\b${MISTAKE})\W*(?:(?:hi|hey|so|and|ok|oops|sorry|the|her|his|customer|cust|client|says|said|that)[\s,:]+)*(?:${BY_WHOM}(?<own>${LINE})|(?<line>${LINE})\s+(?:(?:was|were|got|has\s+been|had\s+been|is)\s+)?(?:(?:just|${MISTAKE})\s+)*${ENDED}\b)[^;!?]{0,80}?[\s,;.–—-]+(?:(?!not\b|n['’]t\b)[^.;!?]){0,40}?\b${BACK}\b[^.;!]{0,30}[\s.!?]*$`,
  'iu',
);

/** The wish to have a line back that was cancelled by mistake, also as a question. Undefined for other sentences. */
export function wantsBack(text: string): string | undefined {
  const { own, line = own } = WAS_ENDED.exec(text)?.groups ?? {};
  return line === undefined ? undefined : `undo the cancellation of ${line}`;
}

/** "Cancelled 0104 by mistake, undo that" */
function undone(text: string): Plainer {
  const { deed = '', line, hold } = UNDONE.exec(text)?.groups ?? {};
  if (line === undefined || (/^put$/i.test(deed) && hold === undefined)) return { text, told: [] };
  const isHold = /^(?:parked|suspended|paused|froze|put|held)$/i.test(deed);
  return { text: isHold ? `take ${line} off hold` : `undo the cancellation of ${line}`, told: [] };
}

const WEBHOOK_FOR =
  /\b(?<deed>(?:delete|remove|drop|kill|cancel|get\s+rid\s+of|change|update|edit|disable|turn\s+off)\s+(?:the\s+|our\s+)?)(?:(?<kind>(?:message|text|sms|order|call|port)s?(?:\s+status)?)\s+)?web\s?hook(?:\s+(?<events>(?:for|of|with|on)\s+(?!https?:)[^,.;!?\d]+?))?(?=\s*(?:$|[,.;!]|\b(?:please|pls|now)\b))/iu;

/** "Delete the webhook for messages": a webhook is known by its address. */
function webhookFor(text: string): Plainer {
  const { deed = '', kind, events = kind } = WEBHOOK_FOR.exec(text)?.groups ?? {};
  // "The webhook of Acme" names its account.
  if (events === undefined || /https?:|["“„]/iu.test(text) || isAccount(events)) return { text, told: [] };
  return {
    text: text.replace(WEBHOOK_FOR, `${deed}webhook`),
    told: [
      `. Not taken: “${events.trim()}”: a webhook is known by its address, so choose it in the form. “Show the webhooks” lists them`,
    ],
  };
}

function isAccount(events: string): boolean {
  const words = wordsOf(events.replace(/^(?:for|of|with|on)\s+(?:the\s+)?/iu, ''));
  return words.length > 0 && words.every(({ isUnknown }) => isUnknown);
}

const NEW_WITH_ACCOUNT = new RegExp(
  String.raw`^(?<all>\W*${COURTESY}(?:(?:add|create|make|register|set\s+up|need)\s+)?(?:(?:a|an|another|the)\s+)?(?:new\s+)?(?:customer|subscriber|client|user)\b.*?${MAIL})\s*,\s*(?:(?:on|under|in|with|at|for)\s+)?(?:(?:the\s+)?account\s+(?:of\s+)?)?(?<account>\p{L}[\p{L}&'’-]+(?:\s+\p{L}[\p{L}&'’-]+){0,2}?)(?:['’]s)?(?:\s+account)?\s*(?:,?\s*(?:please|pls|plz|thanks|thx))?\s*[.!]*$`,
  'isu',
);
const NO_ACCOUNT =
  /\b(?:and|or|phone|number|line|role|admin|manager|subscriber|she|he|they|please|not|give|plan|package|password|with|new|text|call)\b/iu;

/** "New customer: Lena Ortiz, lena@acme.example, acme mobile": the last name is that of the account. */
function accountOfNew(text: string): Plainer {
  const { all, account = '' } = NEW_WITH_ACCOUNT.exec(text)?.groups ?? {};
  const [first = ''] = account.split(/\s+/);
  if (all === undefined || NO_ACCOUNT.test(account) || !(isName(first) || /^\p{Lu}/u.test(first)))
    return { text, told: [] };
  const named = account.replace(/(?<![\p{L}'’])\p{Ll}/gu, (letter) => letter.toUpperCase());
  return { text: `${all}, account ${named}`, told: [] };
}

/** The sentence with such changes as plain orders. */
export function freeChanges(sentence: string): Plainer {
  return [
    ...[spamStopped, shownName, toNamedPlan, newMail],
    ...[outPin, textsTo, undone, webhookFor, accountOfNew],
  ].reduce<Plainer>(
    (before, reword) => {
      const next = reword(before.text);
      return { text: next.text, told: [...before.told, ...next.told] };
    },
    { text: sentence, told: [] },
  );
}
