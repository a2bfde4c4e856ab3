import { wordsOf } from '../../../language/sentence.ts';
import { phonesIn } from '../../../platform/dialect/phone.ts';
import { LINE } from '../facts/line-pattern.ts';
import type { Plainer } from './plain-words.ts';

/*
 * This file puts free questions into the words that the families have: "who talked to 0105 today", "status of all acme
 * numbers". A note names what the answer lacks.
 */

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

const CAN_RETURN =
  /^\W*(?:(?:so|and|ok|hi|hey)[\s,]+)*(?:what|which(?:\s+(?:ones?|lines?|numbers?))?|any\s?thing|any(?:\s+(?:lines?|numbers?))?)\s+(?:(?:is|are)\s+(?:there|left)(?:\s+left)?\s+to|(?:(?:can|could|that|which|i|we|you|still)\s+){1,4})\s*(?:re-?activate|bring\s+back|restore|recover|get\s+back)(?:\s+(?:still|now|today))*[\s?.!]*$/iu;

/** "What can I still reactivate": the lines that are not deleted yet. */
function canReturn(text: string): Plainer {
  return { text: CAN_RETURN.test(text) ? 'which lines can still be reactivated' : text, told: [] };
}

const WHAT_IS_NEW =
  /^\W*(?:(?:so|and|ok|hi|hey)[\s,]+)*(?:what(?:['’]?s|\s+is)|any\s?thing)\s+new\s+(?:with|on|about|at|for)\s+(?<who>[^?.;!,]{2,40}?)[\s?.!]*$/iu;

/** "What's new with 0103" asks for nothing that is bought. */
function whatIsNew(text: string): Plainer {
  const isPort = /\bport(?:s|ing|[\s-]?in)?\b|\border\b/iu.test(text);
  return { text: isPort ? text : text.replace(WHAT_IS_NEW, 'what happened to $<who>'), told: [] };
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
const PRICE =
  /\b(?:costs?|price|priced|how\s+much\s+(?:is|are|does|do|for)|expensive|fee|monthly\s+charge|pays?|paying)\b(?!.*\b(?:data|used?|left|gb|mb)\b)/iu;
const CHANGES =
  /\b(?:move|put|switch|change|upgrade|downgrade|subscribe|add|give|set|cancel|take|remove|if|would|will)\b/iu;

const ONE_LINE = new RegExp(LINE, 'giu');
/** "Which plan has Ava" */
const PLAN_OF =
  /(?:\b(?:which|what)\s+(?:plan|package|bundle|tariff)\s+(?:is|has|does)\s+|\b(?:is|does|of|for)\s+(?=[\p{L}-]+['’]s\s+(?:plan|package|bundle|tariff)\b))(?<who>(?!(?:the|a|an|our|this|that|it|s?he|best|there)\b)\p{L}[\p{L}-]+(?:\s+(?!(?:on|have|has|and|use|get|with)\b)\p{L}[\p{L}-]+)?)/iu;

/** "What does the plan of 0101 cost", "which plan has Ava and what does she pay": the line with its plan, and the prices. */
function planPrice(text: string): Plainer {
  if (!PLAN.test(text) || !PRICE.test(text) || CHANGES.test(text)) return { text, told: [] };
  const [line, ...others] = text.match(ONE_LINE) ?? [];
  const who = PLAN_OF.exec(text)?.groups?.who;
  const name = who !== undefined && wordsOf(who).every(({ isUnknown }) => isUnknown) ? who : undefined;
  const payer = line ?? name;
  const isOne = payer !== undefined && others.length === 0;
  return { text: isOne ? `which plan is ${payer.trim()} on and how much is it` : text, told: [] };
}

const ALL_OF =
  /\b(?<what>status|state|overview|list)(?<of>(?:es)?\s+(?:of|for)\s+)(?:all|each|every|each\s+of)\s+(?:of\s+)?(?:the\s+|our\s+)?(?<who>\p{L}[\p{L}-]+(?:\s+\p{L}[\p{L}-]+)?)(?<end>(?:['’]s)?\s+(?:numbers?|lines?|sims?)\b)/iu;

/** "Status of all acme numbers" */
function ofAll(text: string): Plainer {
  const { what = '', who = '', end = '' } = ALL_OF.exec(text)?.groups ?? {};
  if (who === '' || !wordsOf(who).every(({ isUnknown }) => isUnknown)) return { text, told: [] };
  return { text: text.replace(ALL_OF, `${what} of ${who}${end}`), told: [] };
}

const HOOK =
  /^(?!.*(?:["“„]|\b(?:not|never|dont|where|what|which|who|routes?|trunks?)\b|n['’]t)).*\b(?:web\s?)?hook(?:['’]?s)?\b/isu;
const SECRET = /\b(?:secret|token|password|key|credentials?)\b/iu;
const RENEWS =
  /\b(?:leak\w*|rotat\w*|compromised|exposed|stolen|renew\w*|regenerat\w*|roll|replace|reset|new|published|public|changed?|cycle)\b/iu;

/** "The webhook secret leaked": the webhook is changed, and gets another one in its form. */
function webhookSecret(text: string): Plainer {
  const secret = HOOK.test(text) && RENEWS.test(text) ? SECRET.exec(text)?.[0] : undefined;
  if (secret === undefined) return { text, told: [] };
  const url = /https?:[^\s,;]+/u.exec(text)?.[0];
  return {
    text: url === undefined ? 'change the webhook' : `change the webhook ${url}`,
    told: [`. Type the new ${secret.toLowerCase()} into the form alone`],
  };
}

const PORTED =
  /^(?!.*["“„])(?!.*\b(?:orders?|ordered|stuck|stop\w*|cancel\w*|status|out|away|pin|today|tomorrow|on|by|start|submit)\b)(?:(?=.*\?)(?!\W*(?:please|pls)\b)|(?=\W*(?:(?:hi|hey|hello|quick\s+question|question|so|ok|and)[\s,:]+)*(?:is|can|could|may|are|would|check|see|whether|if)\b))(?!\W*(?:can|could|would)\s+(?:you|u)\b).*?\b(?:can|could|may|able\s+to|possible\s+to|allowed\s+to)\b[^.;!?]*\b(?:(?<!\b(?:the|this|that|his|her|their|our|a|my)\s)port(?:ed|ing)?(?!\s+(?:of|order|date)\b)|(?:bring|take|move|transfer)\b[^.;!?]*\b(?:over|in|here|to\s+us|with\s+us))\b/isu;
/** "He wants to bring +1… to us, can he?" */
const WANTS_PORT =
  /^(?!.*["“„])(?!.*\b(?:orders?|stuck|cancel\w*|status|out|away|pin)\b).*\b(?:wants?|would\s+like|wishes|hopes|plans|asks|asking|thinking\s+(?:of|about))\s+(?:to\s+|if\s+(?:he|she|they)\s+can\s+)?(?:bring|port|move|transfer|take|keep|use)(?:ing)?\b[^.;!?]*[\s,;.–—-]+(?:and\s+|so\s+)?(?:(?:can|could|may|might)\s+(?:he|she|they|it|that|this|we)(?:\s+(?:be\s+(?:done|ported)|do\s+(?:it|that|so)|work))?|(?:is|would)\s+(?:it|that|this)\s+(?:be\s+)?(?:possible|ok|okay|work(?:able)?|portable|doable|fine|allowed)|(?:would|does|will)\s+(?:it|that|this)\s+work|possible|doable)\s*\?*\s*$/isu;
/** "Can we port 4155552391 to us at all" asks for the eligibility, and "can you port" for the port itself. */
function canPort(text: string): Plainer {
  const [number, ...others] = PORTED.test(text) || WANTS_PORT.test(text) ? phonesIn(text) : [];
  return { text: number === undefined || others.length > 0 ? text : `is ${number} portable to us?`, told: [] };
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

const MAKES_LIST =
  /^(?<head>\W*(?:(?:please|pls|plz|hi|hey|ok|so|and|can|could|would|you|u|we|i|need|want|to|just)[\s,]+)*)(?:make|create|pull(?:\s+up|\s+together)?|draw\s+up|put\s+together|build|compile|generate|prepare|write\s+up)\s+(?:(?:me|us)\s+)?(?:an?|the)\s+(?:(?:quick|full|short|complete|little)\s+)?(?:list(?:ing)?|overview|table|report)\s+(?:of|with|for)\s+(?=\p{L})/iu;

/** "Make a list of all cancelled numbers" makes no record. */
function asList(text: string): Plainer {
  return { text: text.replace(MAKES_LIST, '$<head>list '), told: [] };
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
  return [
    asList,
    talkedTo,
    canReturn,
    whatIsNew,
    asFile,
    planPrice,
    ofAll,
    webhookSecret,
    canPort,
    counted,
    ofUnknownOutcome,
  ].reduce<Plainer>(
    (before, reword) => {
      const next = reword(before.text);
      return { text: next.text, told: [...before.told, ...next.told] };
    },
    { text: sentence, told: [] },
  );
}
