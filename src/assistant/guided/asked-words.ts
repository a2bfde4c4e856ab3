import { wordsOf } from '../../language/sentence.ts';
import type { Plainer } from './plain-words.ts';

/*
 * This file puts free questions into the words that the families have: "who talked to 0105 today", "status of all acme
 * numbers". A note names what the answer lacks.
 */

const LINE = String.raw`(?:(?:number|line)\s+)?(?:[#…*]*\d{4}(?![\w-])|\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d))`;

const TALKED = new RegExp(
  String.raw`^\W*(?:(?:hi|hey|ok|so|and|please|pls|can\s+you\s+(?:see|tell|check)|show\s+(?:me|us)|tell\s+(?:me|us)|check|see|do\s+we\s+know)[\s,]+)*(?:who(?:\s+all|\s+else)?|with\s+whom|anyone|anybody)\s+(?:(?:has|have|had|was|is|did|been|just|last)\s+)*(?:talk(?:ed|ing|s)?|spoke|spoken|speak(?:s|ing)?|chatted|in\s+(?:contact|touch))\s+(?:to|with)\s+(?:(?<line>${LINE})(?<when>[^.;!?]*)|(?<who>\p{L}[\p{L}-]+(?:\s+\p{L}[\p{L}-]+)??)(?<then>(?:\s+(?:today|yesterday|last|this|since|on|in|recently)\b[^.;!?]*)?))[\s.?!]*$`,
  'iu',
);

/** "Who talked to 0105 today": customers' messages and what was done, and not only the deeds of colleagues. */
function talkedTo(text: string): Plainer {
  const { line, who = '', when, then = '' } = TALKED.exec(text)?.groups ?? {};
  const isName = who !== '' && wordsOf(who).every(({ isUnknown }) => isUnknown);
  if (line === undefined && !isName) return { text, told: [] };
  return {
    text: `what happened to ${line ?? who}${when ?? then}`,
    told: ['. Messages that came in are in it, and calls as far as the platform reports them'],
  };
}

const AS_FILE =
  /[\s,]*(?:\b(?:and|then|please|pls)\s+)*\b(?:(?:as|in|to|into)\s+(?:an?\s+)?(?:csv|excel|xlsx?|spreadsheet|pdf)(?:\s+(?:file|sheet|format|export))?|export(?:ed)?\s+(?:it|them|that|this|as\s+(?:an?\s+)?(?:csv|excel|file))|as\s+(?:an?\s+)?(?:export|file|download))\b/iu;

/** "Yesterday's changes as csv": the list is shown, and is no file. */
function asFile(text: string): Plainer {
  const part = AS_FILE.exec(text)?.[0];
  const isOther = /\b(?:batch|text|sms|message|upload|import)\b/iu.test(text) || /["“„]/u.test(text);
  if (part === undefined || isOther) return { text, told: [] };
  const left = text.replace(AS_FILE, '').trim();
  if (left === '' || !wordsOf(left).some(({ acts, things }) => acts.length + things.length > 0))
    return { text, told: [] };
  return {
    text: left,
    told: [`. Not taken: “${part.replace(/^[\s,]*(?:(?:and|then|please|pls)\s+)*/iu, '')}”: it is shown here`],
  };
}

const PLAN = /\b(?:plan|package|bundle|tariff)\b/iu;
const PRICE = /\b(?:costs?|price|priced|how\s+much|expensive|fee|monthly\s+charge)\b/iu;
const CHANGES =
  /\b(?:move|put|switch|change|upgrade|downgrade|subscribe|add|give|set|cancel|take|remove|if|would|will)\b/iu;

/** "What does the plan of 0101 cost": the line shows its plan, and the list of plans its price. */
function planPrice(text: string): Plainer {
  const isAsked = PLAN.test(text) && PRICE.test(text) && !CHANGES.test(text) && /\d{4}/u.test(text);
  if (!isAsked) return { text, told: [] };
  return { text, told: ['. What the plan costs stands in the list of plans: “which plans do we have”'] };
}

const ALL_OF =
  /\b(?<what>status|state|overview|list)(?<of>(?:es)?\s+(?:of|for)\s+)(?:all|each|every|each\s+of)\s+(?:of\s+)?(?:the\s+|our\s+)?(?<who>\p{L}[\p{L}-]+(?:\s+\p{L}[\p{L}-]+)?)(?<end>(?:['’]s)?\s+(?:numbers?|lines?|sims?)\b)/iu;

/** "Status of all acme numbers" */
function ofAll(text: string): Plainer {
  const { what = '', who = '', end = '' } = ALL_OF.exec(text)?.groups ?? {};
  if (who === '' || !wordsOf(who).every(({ isUnknown }) => isUnknown)) return { text, told: [] };
  return { text: text.replace(ALL_OF, `${what} of ${who}${end}`), told: [] };
}

const SECRET =
  /^(?!.*(?:["“„]|\b(?:not|never|dont|where|what|which|who)\b|n['’]t))[^.;!?]*?\bweb\s?hook(?:['’]?s)?\s+(?:(?:at\s+|on\s+)?(?<url>https?:\S+)\s+)?(?:(?:signing|shared|auth|api)\s+)?(?:secret|token|password|key|credentials?)\b.*$/isu;
const RENEWS =
  /\b(?:leak\w*|rotat\w*|compromised|exposed|stolen|renew\w*|regenerat\w*|roll|replace|reset|new|published|public|changed?|cycle)\b/iu;

/** "The webhook secret leaked": the webhook is changed, and gets another one in its form. */
function webhookSecret(text: string): Plainer {
  const found = SECRET.exec(text);
  const secret = /\b(?:secret|token|password|key|credentials?)\b/iu.exec(text)?.[0];
  if (!found || !RENEWS.test(text) || secret === undefined) return { text, told: [] };
  const url = found.groups?.url ?? /https?:\S+/u.exec(text)?.[0];
  return {
    text: url === undefined ? 'change the webhook' : `change the webhook ${url}`,
    told: [`. Type the new ${secret.toLowerCase()} into the form alone`],
  };
}

const CAN_PORT =
  /^\W*(?:(?:hi|hey|hello|quick\s+question|question|so|ok|and)[\s,:]+)*(?:can|could|may|are\s+we\s+able\s+to|would\s+we\s+be\s+able\s+to)\s+(?:(?:we|i)\s+)?(?:(?:actually|even|ever|still)\s+)*(?:port|bring|transfer)(?:[\s-]?in)?\s+(?:(?:my|our|the|this|her|his|their)\s+)?(?:number\s+|over\s+)?(?<number>\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4})(?:\s+(?:over|in|here|to\s+(?:us|you)|with\s+us|at\s+all|or\s+not|yet|already))*\s*\?*\s*$/iu;

/** "Can we port 4155552391 to us at all" asks for the eligibility. "Can you port" asks for the port itself. */
function canPort(text: string): Plainer {
  const number = CAN_PORT.exec(text)?.groups?.number;
  return { text: number === undefined ? text : `is ${number.trim()} portable to us?`, told: [] };
}

const UNKNOWN_OUTCOME =
  /^(?!.*\d{3}).*?\b(?:(?:unknown|unclear|unsettled|undetermined|uncertain)\s+(?:outcomes?|results?|endings?)|(?:outcomes?|results?)\s+(?:(?:is|are|was|were|still|yet)\s+)*(?:unknown|unclear|not\s+known|undetermined|open))\b.*$/isu;
const PAST = /\b(?:today|yesterday|overnight|this\s+(?:week|morning|month)|last\s+(?:night|week|month))\b/iu;

/** "Any action with an unknown outcome to settle": the list of what failed has them. */
function ofUnknownOutcome(text: string): Plainer {
  if (!UNKNOWN_OUTCOME.test(text)) return { text, told: [] };
  const period = PAST.exec(text)?.[0] ?? 'in the last 30 days';
  return {
    text: `which actions failed ${period}`,
    told: ['. An action whose outcome is unknown is among them, and says so on its card, where it is settled'],
  };
}

const COUNTED =
  /\bhow\s+many\s+(?=(?:texts?|sms|messages?)\s+(?:did|has|have|does)\s+(?!(?:we|i|you|u)\b|[#…*+]*\d)\p{L}+(?:\s+\p{L}+)?\s+(?:get|got|receive[ds]?)\b)/iu;
const OF_UNKNOWN =
  /\bfrom\s+(?:unknown|strange|foreign|other)\s+(?:numbers?|senders?|people)\b|\bfrom\s+strangers?\b/iu;

/** "How many texts did Ava get this week": they are listed. */
function counted(text: string): Plainer {
  if (!COUNTED.test(text)) return { text, told: [] };
  const unknown = OF_UNKNOWN.test(text) ? ', and which of their senders are unknown to the customer is not kept' : '';
  return { text: text.replace(COUNTED, 'which '), told: [`. They are listed here, and not counted${unknown}`] };
}

/** The question in plainer words. */
export function plainerAsked(sentence: string): Plainer {
  return [talkedTo, asFile, planPrice, ofAll, webhookSecret, canPort, counted, ofUnknownOutcome].reduce<Plainer>(
    (before, reword) => {
      const next = reword(before.text);
      return { text: next.text, told: [...before.told, ...next.told] };
    },
    { text: sentence, told: [] },
  );
}
