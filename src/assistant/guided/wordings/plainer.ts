import { wordsOf } from '../../../language/sentence.ts';
import { COURTESY } from '../facts/beginnings.ts';
import { isPlanName } from '../facts/plans.ts';
import {
  namedKind,
  nounDeeds,
  renamedCompany,
  rightDetail,
  withoutCourtesy,
  withoutEid,
  withoutPort,
} from './change-words.ts';
import { freeChanges, wantsBack } from './free-changes.ts';
import {
  activatesNew,
  allowance,
  forAll,
  forWhom,
  goesLive,
  hookedUp,
  keepsNumber,
  keptLine,
  limitPeriod,
  newFor,
  newLastName,
  newLines,
  newSim,
  newWithPlan,
  notTheirs,
  offPerson,
  onlyTell,
  ontoPerson,
  planAfterNoun,
  portState,
  reasonFirst,
  repliesTo,
  wantsFor,
  wrongDetail,
} from './own-orders.ts';
import { plainOrders } from './plain-orders.ts';
import { holderOf, type Plainer } from './plain-words.ts';
import { newPhone, onPhone, prefixLast, simOfNewLine } from './reasons.ts';
import { switchWishes } from './switch-wishes.ts';
import { withCallerName, withHolderName } from './wrong-names.ts';

/*
 * This file puts free changes into the words that the families have: "0101 is ben's now", "the cnam is wrong, fix it to
 * GLOBEX INC", "activate 0104 on starter", "reactivate 0108 and waive the fee". A note names what is left out.
 */

const LINE = String.raw`(?:(?:number|line)\s+)?(?:[#…*]*\d{4}(?![\w-])|\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4})`;
/** A sentence that asks, or speaks against something. */
const ASKS_OR_REFUSES =
  /\?\s*$|^\W*(?:what|how|why|who|whose|when|where|which|is|are|was|were|does|do|did|has|have|if|should|would)\b|\b(?:not|never|unless|if|dont|cant|wont)\b|n['’]t\b/iu;

/* A line's owner */

const OWNER = String.raw`(?!(?:the|a|an|our|my|his|her|their|its|it|that|this|what|who)\b)\p{L}[\p{L}-]+(?:\s+(?!now\b|please\b|pls\b|from\b|line\b|number\b)\p{L}[\p{L}-]+)?`;
const IS_NOW = new RegExp(
  String.raw`^(?<head>\W*${COURTESY})(?<line>${LINE})\s+(?:now\s+(?:belongs|goes)\s+to\s+(?<fourth>${OWNER}?)|(?:is\s+for|is|['’]s|belongs\s+to|goes\s+to)\s+(?<owner>${OWNER}?)(?:['’]?s)?\s+(?:now|from\s+now\s+on|as\s+of\s+now)|(?:should|must|has\s+to|needs\s+to|shall|is\s+supposed\s+to|ought\s+to)\s+(?:now\s+)?(?:(?:be|belong\s+to)\s+(?<other>${OWNER}?)['’]?s(?:\s+(?:now|line|number))?|(?:belong|go)\s+to\s+(?<third>${OWNER}?)(?:\s+now)?))(?<not>,?\s*(?:and\s+|but\s+)?not\s+(?:to\s+)?${OWNER}['’]?s?(?:\s+anymore)?)?(?<end>\s*(?:please|pls)?\s*[.!]*\s*)$`,
  'iu',
);
const MAKE = new RegExp(
  String.raw`\bmake\s+(?<line>${LINE})\s+(?<owner>${OWNER}?)(?:['’]s|s)(?=\s*(?:$|[,.;!]|\b(?:and|now|please|pls)\b))`,
  'giu',
);
const MAKE_OWNER = new RegExp(
  String.raw`\bmake\s+(?<owner>${OWNER}?)\s+(?:the\s+)?(?:new\s+)?(?:owner|holder|user|subscriber|customer)\s+(?:of|on|for)\s+(?<line>${LINE})`,
  'iu',
);
const AND_OTHER = new RegExp(
  String.raw`\s*(?:,|\band\b|&)+\s*(?<line>${LINE})\s+(?<owner>${OWNER}?)(?:['’]s|s)\b`,
  'giu',
);

/** "0104 should be on Bens name", "goes in the name of Ben", "belongs under Ben's name" */
const IN_NAME = new RegExp(
  String.raw`^(?<head>\W*${COURTESY})(?<line>${LINE})\s+(?!(?:is|was)\s+(?:on|in|under)\b(?!.*\bnow\b))(?:(?:should|must|shall|has\s+to|needs\s+to|ought\s+to|is\s+supposed\s+to|wants\s+to|is|was|be|go|goes|belongs?|stand|run|listed|registered|put|moved|now|really|actually)\s+)*(?:on|onto|in|into|under|to)\s+(?:(?:the\s+)?name\s+of\s+(?<owner>${OWNER}?)|(?<other>${OWNER}?)(?:['’]s?)?\s+name)(?<end>(?:\s+now)?(?:,?\s*(?:and\s+|but\s+)?(?:not|instead\s+of|rather\s+than)\s+(?:(?:on|in|under|to)\s+)?(?<not>${OWNER}?)(?:['’]s?)?(?:\s+name)?)?(?:\s+anymore)?\s*(?:please|pls)?\s*[.!]*\s*)$`,
  'iu',
);

function ownersIn(text: string): Plainer {
  const named = IN_NAME.exec(text)?.groups;
  const holder = holderOf(named?.owner ?? named?.other ?? '');
  if (named && isName(holder)) {
    const told = named.not === undefined ? [] : [`; left out, as you say: “not ${named.not}”`];
    return { text: `${named.head}assign ${named.line} to ${holder}`, told };
  }
  const now = IS_NOW.exec(text)?.groups;
  const owner = now?.owner ?? now?.other ?? now?.third ?? now?.fourth;
  if (now && owner !== undefined && isName(owner))
    return {
      text: `${now.head}assign ${now.line} to ${holderOf(owner)}${now.end}`,
      told: now.not ? [`; left out, as you say: “${now.not.replace(/^[\s,]+/, '')}”`] : [],
    };
  const owned = MAKE_OWNER.exec(text)?.groups;
  if (owned?.owner && owned.line && isName(owned.owner))
    return { text: text.replace(MAKE_OWNER, `assign ${owned.line} to ${owned.owner}`), told: [] };
  const made = [...text.matchAll(MAKE)];
  const [first] = made;
  if (!first?.groups || !isName(first.groups.owner ?? '')) return { text, told: [] };
  const after = text.slice(first.index + first[0].length);
  const others = [...after.matchAll(AND_OTHER)].map(([found]) => found.replace(/^[\s,&]*(?:and\s+)?/i, ''));
  const told = others.map((other) => `. Not taken: “${other}”, as each line is given on its own`);
  const rest = after.replace(AND_OTHER, '');
  return { text: `${text.slice(0, first.index)}assign ${first.groups.line} to ${first.groups.owner}${rest}`, told };
}

/** True for words that neither the vocabulary nor everyday English has. */
function isName(words: string): boolean {
  return words !== '' && wordsOf(words).every(({ isUnknown }) => isUnknown);
}

const FROM_TO = new RegExp(
  String.raw`(?:\b(?:move|transfer|switch|reassign|change|shift)\s+|(?<=^\W*${COURTESY}))(?<line>${LINE})\s+(?:away\s+)?from\s+(?<from>${OWNER}?)(?:['’]s)?\s+(?:over\s+)?to\s+(?<owner>${OWNER}?)(?:['’]s)?(?=\s*(?:$|[,.;!]|\b(?:please|pls|now|today)\b))`,
  'iu',
);

function fromOwner(text: string): Plainer {
  const found = FROM_TO.exec(text);
  const { line = '', from = '', owner = '' } = found?.groups ?? {};
  if (!found || !isName(from) || !isName(owner) || [from, owner].some(isPlanName)) return { text, told: [] };
  return {
    text: text.replace(found[0], `assign ${line} to ${owner}`),
    told: [
      `. Not taken: “from ${from}”. A number is given to a subscriber, and to no account: it stays in its account`,
    ],
  };
}

/* Values of a customer that are wrong */

const MAIL = String.raw`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`;
const WRONG_MAIL = new RegExp(
  String.raw`^(?<head>\W*${COURTESY}(?:the\s+)?(?<what>[^,.;!?]*?\be-?mail\b(?:\s+add?ress)?[^,.;!?]*?))\s*(?:\b(?:is|was|has|should|must|needs|changed|now|seems)\b|['’]s)[^@]*?(?<mail>${MAIL})(?<end>.*)$`,
  'isu',
);
const NEW_NAME = new RegExp(
  String.raw`^(?<head>\W*${COURTESY})(?<owner>${OWNER}?)\s+(?:(?:has\s+|just\s+|have\s+)*changed\s+(?:her|his|their|the)\s+(?<what>(?:last\s+|family\s+|sur)?name|e-?mail(?:\s+add?ress)?)\s+to|(?:has|got|uses)\s+(?:an?\s+)?new\s+(?<other>e-?mail(?:\s+add?ress)?|name)\s*(?:,|:|is|it['’]s)?|is\s+now\s+(?:called|named)|(?<known>(?:now\s+|mostly\s+)?goes\s+(?:now\s+)?by)(?:\s+(?:the\s+)?name(?:\s+of)?)?)\s+(?<name>${MAIL}|[^,.;!?]+?)(?=(?:\s+(?:now|these\s+days|please|pls|from\s+now\s+on))*\s*(?:$|[,.;!]))`,
  'iu',
);

function withRightValue(text: string): Plainer {
  const mail = WRONG_MAIL.exec(text)?.groups;
  if (mail?.what && !/\b(?:change|update|set|fix|correct|add|create|new|make|send|text)\b/i.test(mail.what))
    return { text: `change ${mail.what} to ${mail.mail}${mail.end}`, told: [] };
  const found = NEW_NAME.exec(text);
  const { head = '', owner = '', other = 'name', what = other, name = '', known } = found?.groups ?? {};
  if (!found || !isName(owner)) return { text, told: [] };
  const isPart = known !== undefined && !/\s/u.test(name);
  const told =
    /^(?:name|e)/i.test(what) && !isPart
      ? []
      : [`. “${name}” is only a part of the name: write the whole name in the form`];
  return {
    text: text.replace(found[0], `${head}change the ${/^e/i.test(what) ? what : 'name'} of ${owner} to ${name}`),
    told,
  };
}

const MARRIED = new RegExp(
  String.raw`^(?<head>\W*${COURTESY})(?<owner>${OWNER}?)(?:['’]?s\s+name)?\s+(?:(?:just\s+|has\s+)*(?:got|gets|is|was|has)\s+(?:\p{L}+\s+)?(?:married|divorced|renamed)[\s,;.]+(?:and\s+)?|(?=is\s+now\b))(?:(?:s?he|they|name)(?:['’]?s|\s+is|['’]?re|\s+are)?\s+|is\s+)?(?:now\s+(?:called\s+|named\s+)?)?(?<name>${OWNER})(?:\s+now)?(?=\s*(?:$|[,.;!]))`,
  'iu',
);

/** "Ava Stone got married, she's Ava Miller now" */
function newName(text: string): Plainer {
  const { head = '', owner = '', name = '' } = MARRIED.exec(text)?.groups ?? {};
  const full = name.replace(/\s+now$/i, '');
  if (!isName(owner) || !isName(full) || !full.includes(' ')) return { text, told: [] };
  return { text: text.replace(MARRIED, `${head}change the name of ${owner} to ${full}`), told: [] };
}

const ROLE_OF =
  /\bmake\s+(?<first>\p{Ll}+)\s+(?<last>\p{Ll}+)\s+(?=(?:an?|the)\s+(?:account\s+)?(?:admin|manager|subscriber)\b)/iu;

/** "Make grace block an admin": both are names. */
function withRole(text: string): Plainer {
  const { first = '', last = '' } = ROLE_OF.exec(text)?.groups ?? {};
  if (!isName(first) || /^(?:now|please|pls|again|also)$/i.test(last)) return { text, told: [] };
  return { text: text.replace(ROLE_OF, `make ${upper(first)} ${upper(last)} `), told: [] };
}

function upper(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}

/* A plan in place of another */

const FROM_PLAN = new RegExp(
  String.raw`\b(?:take|get|pull|move|remove)\s+(?<who>${LINE}|${OWNER}?)\s+(?:off|from)\s+(?:of\s+)?(?:the\s+)?(?<from>[\p{L}\d]+(?:\s+(?:plan|package|bundle))?)\s+(?:and|then)\s+(?:please\s+)?(?:put|move|place|switch)\s+(?:her|him|it|them|that)\s+(?:on|onto|to)\s+(?:the\s+)?(?<to>[\p{L}\d]+)(?:\s+(?:plan|package|bundle))?(?=\s*(?:$|[,.;!]|\b(?:please|pls|instead|from|now)\b))`,
  'iu',
);

/** "0105 wants off the family plan" */
const WANTS_OFF = new RegExp(
  String.raw`(?<who>${LINE}|${OWNER}?)\s+(?:wants?|needs?|would\s+like)\s+(?:to\s+(?:get\s+|be\s+taken\s+)?(?:off|out\s+of|leave|drop)|off(?:\s+of)?|out\s+of)\s+(?<plan>(?:the\s+)?[\p{L}\d]+\s+(?:plan|package|bundle))\b`,
  'iu',
);

function toPlan(sentence: string): Plainer {
  const text = sentence.replace(WANTS_OFF, 'take $<who> off $<plan>');
  const found = FROM_PLAN.exec(text);
  const { who = '', from = '', to = '' } = found?.groups ?? {};
  if (!found || !(/\s(?:plan|package|bundle)$/i.test(from) || isPlanName(to))) return { text, told: [] };
  return {
    text: text.replace(found[0], `move ${who} to the ${to} plan`),
    told: [`. Read as a change from “${from}” to “${to}”`],
  };
}

/* A webhook that gets fewer events */

const STOPS_EVENTS =
  /\b(?:stop|quit|no\s+longer|end)\s+(?:sending|posting|pushing|delivering|send|post)\s+(?<what>[^,.;!?]*?)\s+to\s+(?<url>https?:\S+)/iu;

/** "Drop the order events from webhook https://…" */
const DROPS_EVENTS =
  /\b(?:drop|remove|take|delete|exclude|unsubscribe|strip|add|include)\s+(?<what>(?:(?!webhook|https?:)[^,.;!?])*?)\s+(?:from|off|out\s+of|on|at|to)\s+(?:the\s+|our\s+)?web\s?hook\s+(?:at\s+|on\s+)?(?<url>https?:\S+)/iu;

function withFewerEvents(text: string): Plainer {
  const pattern = STOPS_EVENTS.test(text) ? STOPS_EVENTS : DROPS_EVENTS;
  const { what = '', url = '' } = pattern.exec(text)?.groups ?? {};
  if (url === '') return { text, told: [] };
  const told = `. “${what}” is not taken: choose in the form the events that stay`;
  return { text: text.replace(pattern, `change the webhook ${url}`), told: [told] };
}

/* Asking to hear when a change is done */

const WHEN_DONE =
  /[\s,;&]*(?:\b(?:and|then|also|please|pls)\b[\s,]*)*\b(?:let\s+(?:me|us)\s+know|(?:tell|ping|notify|text|message|update)\s+(?:me|us)|report\s+back|shout|holler)\s+(?:when|once|if|as\s+soon\s+as|after)\s+(?:it['’]?s|it\s+is|its|that['’]?s|that\s+is|this\s+is|you['’]?re|ur|you\s+are|everything\s+is|all\s+is|all)\s+(?:all\s+)?(?:done|finished|complete[d]?|through|over|ready|set|in\s+place|processed|sorted)\b/giu;

function whenDone(text: string): Plainer {
  const left = text.replace(WHEN_DONE, ' ').trim();
  const [found] = text.match(WHEN_DONE) ?? [];
  if (found === undefined || left === '' || !wordsOf(left).some(({ acts }) => acts.length > 0))
    return { text, told: [] };
  return {
    text: left,
    told: [`. Not taken: “${found.replace(/^[\s,;&]+/, '').trim()}”, as an outcome is told by itself`],
  };
}

/* A line that is switched on again */

/** Explains that the state of a line decides. */
export const ON_HOLD = '. A line on hold is activated instead';
const BACK_ON =
  /^(?!.*\boff\s+(?:and|then|&)\b)(?!.*\b(?:filter|filters|guardian|webhook|route|trunk|recording|limit|data|texts?|calls?|voice|sms|plan|package)\b)(?=\W*(?:\S+\s+)?\d{4}\s+back\s+on\b|.*\b(?:turn|switch|get|bring|put|power)\b[^,.;!?]*\bback\s+(?:on|up)\b(?!\s+(?:the|a|an)\b|\s+\p{L}+\s+(?:plan|package|route)))/iu;

function backOn(text: string): Plainer {
  return { text, told: BACK_ON.test(text) ? [ON_HOLD] : [] };
}

/* A route that is not named */

const OTHER_ROUTE =
  /\b(?:the\s+other|an?other|a\s+(?:new|different|second)|(?:her|his|their|our)\s+other)\s+(?:(?:sms|text|message|voice|call|sip)\s+)?(?:route|trunk)\b/iu;

function onOtherRoute(text: string): Plainer {
  const [route] = (new RegExp(LINE, 'u').test(text) && OTHER_ROUTE.exec(text)) || [];
  const behind = route === undefined ? '' : text.slice(text.indexOf(route) + route.length);
  // A second trunk is a part of the route that has a name before or behind it.
  const isPart =
    route !== undefined && /trunk$/iu.test(route) && /\b(?:route|trunk)\b/iu.test(text.replace(route, ' '));
  const isNamed = isPart || /\b(?:called|named)\s|^\s+(?:to|on|of|for)\s[^,;:.!?]*\b(?:route|trunk)\b/iu.test(behind);
  return {
    text,
    told: route === undefined || isNamed ? [] : [`. “${route}” names none: choose the route in the form`],
  };
}

/* Events of a webhook that there is */

const OTHER_EVENTS =
  /^(?<head>\W*)(?:the\s+|our\s+)?web\s?hook\s+(?:at\s+|on\s+)?(?<url>https?:\S+)\s+(?<what>(?:should|must|only|also|needs?|has\s+to|is|gets?)\b(?!.*https?:).*)$/isu;

function withOtherEvents(text: string): Plainer {
  const { head = '', url, what = '' } = OTHER_EVENTS.exec(text)?.groups ?? {};
  if (url === undefined) return { text, told: [] };
  return {
    text: `${head}change the webhook ${url}`,
    told: [`. “${what.trim()}” is not taken: choose the events in the form`],
  };
}

/* Events that are sent to an address */

const SENDS_EVENTS = new RegExp(
  String.raw`^(?<head>\W*${COURTESY})(?:(?:send|post|push|deliver|forward|report)\s+(?:(?:all|the|our|any|new)\s+)*(?<what>(?:port(?:ing|-?in)?|order|sms|text|message|call)s?(?:\s+and\s+\p{L}+)?\s+(?:updates?|events?|notifications?|status(?:es)?|changes))\s+to|(?:a\s+)?webhook\s+for\s+(?<for>[^,.;!?]+?)\s+(?:to|at|on))\s+(?<url>https?:\S+)`,
  'iu',
);

function withWebhook(text: string): Plainer {
  const { head = '', what, for: other, url = '' } = SENDS_EVENTS.exec(text)?.groups ?? {};
  const events = what ?? other;
  if (events === undefined || new RegExp(LINE, 'u').test(text)) return { text, told: [] };
  return { text: text.replace(SENDS_EVENTS, `${head}create a webhook ${url} for ${events}`), told: [] };
}

/* A plan that a line is activated on */

const ACTIVATES = new RegExp(
  String.raw`\b(?:activate|start|enable|turn\s+on|set\s+up)\s+(?<line>${LINE}|(?!the\b|a\b|an\b|my\b)\p{L}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+)?)\s+(?:on|with|under|onto)\s+(?:(?:the|our|a|an)\s+)*(?<name>[\p{L}\d]+(?:\s+[\p{L}\d]+)??)(?<noun>\s+(?:plan|package|bundle|tariff))?(?=\s*(?:$|[,.;!?]|\b(?:please|pls|from|today|tomorrow|now|and)\b))`,
  'iu',
);

/** "Put ava on unlimited": a plan. "Set 0103 to unlimited" is about its limit. */
const UNLIMITED =
  /\b(?:put|move|switch|upgrade|migrate|transfer|go|goes|(?:should|must)\s+(?:be|go))\b[^.;!?]*\b(?:to|onto|on)\s+(?:the\s+)?unlimited(?=\s*(?:$|[,.;!]|\b(?:please|pls|from|today|tomorrow|now|and)\b))/iu;

function onPlan(text: string): Plainer {
  const unlimited = UNLIMITED.exec(text)?.[0];
  if (unlimited !== undefined) return { text: text.replace(unlimited, `${unlimited} plan`), told: [] };
  const found = ACTIVATES.exec(text);
  const { line = '', name = '', noun } = found?.groups ?? {};
  if (!found || (noun === undefined && !isPlanName(name))) return { text, told: [] };
  const put = `put ${line} on the ${name}${noun ?? ' plan'}`;
  return {
    text: text.replace(found[0], put),
    told: [`. Read as “${put}”: a line on hold is activated on its own`],
  };
}

/* A cancellation that is stopped */

const CANCELLATION = '(?:cancell?ations?|cancell?ing|cancel|disconnection|disconnect|termination)';
const WHOSE = String.raw`(?:${LINE}|(?!the\b|my\b|our\b|this\b|that\b)\p{L}[\p{L}'’-]+(?:\s+\p{L}[\p{L}'’-]+)?)`;
const STOPS = new RegExp(
  String.raw`\b(?:stop|halt|abort|cancel|revoke|reverse|call\s+off|kill|withdraw|retract)\s+(?:the\s+(?:pending\s+|scheduled\s+)?(?:cancell?ation|cancel|disconnection|disconnect|termination)\s+(?:of|on|for)\s+(?<line>${WHOSE})|(?:the\s+)?(?<owner>${LINE}|(?!the\b|my\b|our\b|this\b|that\b|her\b|his\b|their\b)\p{L}[\p{L}-]+(?:\s+\p{L}[\p{L}-]+)?)['’]?s\s+${CANCELLATION})\b`,
  'iu',
);

/** "Stop 0107 from being deleted" */
const SAVES = new RegExp(
  String.raw`\b(?:stop|keep|prevent|save|rescue)\s+(?<line>${LINE}|\p{L}[\p{L}-]+['’]s\s+(?:line|number))\s+(?:from|before)\s+(?:\p{L}+\s+){0,3}?(?:delet\w+|cancell?\w+|lost|releas\w+|remov\w+|gone|disconnect\w*|terminat\w+)\b`,
  'iu',
);

function withUndo(sentence: string): Plainer {
  const text = sentence.replace(SAVES, 'stop the cancellation of $<line>');
  const found = STOPS.exec(text);
  const line = found?.groups?.line ?? found?.groups?.owner;
  if (!found || line === undefined || /\brequests?\b/i.test(text)) return { text, told: [] };
  const undo = `undo the cancellation of ${line}`;
  return {
    text: text.replace(found[0], undo),
    told: [`. Read as “${undo}”: a request that still waits is taken back with “Withdraw” on its card`],
  };
}

/* Costs of changes and their payer */

const FEE = String.raw`(?:(?:reactivation|reconnection|port(?:ing)?|activation|sim|swap|one[\s-]?time|\$\s?\d+|\d+\s*(?:usd|dollars?|bucks?))\s+)*(?:fees?|charges?|costs?|price)`;
const JOINT = String.raw`[\s,;(–-]*(?:\b(?:and|but|then|also|please|pls|plz|just)\b[\s,]*)*`;
const MONEY = new RegExp(
  [
    String.raw`${JOINT}\b(?:waive|skip|drop|forgive|comp|absorb|ignore|cover|refund|credit|w/o|without|with\s+no|no|minus)\s+(?:(?:the|any|a|an|his|her|their|that|all|extra)\s+)*${FEE}\b(?:\s+(?:for|to)\s+(?:him|her|them|this|it|\p{L}+))?(?:\s+this\s+time)?`,
    String.raw`[,;]\s*(?:and\s+)?(?:the\s+)?(?:customer|she|he|they|client)\s+(?:also\s+)?(?:wants?|asks?\s+for|needs?|expects?)\s+(?:(?:an?|her|his|their|the|full)\s+)*(?:refund|money\s+back|credit)[^,.;!?]*`,
    String.raw`(?:[\s,;]+(?:and|but)\s+|[,;]\s*)(?:the\s+)?\p{L}+(?:\s+\p{L}+)?\s+(?:pays?|will\s+pay|is\s+paying|covers?\s+(?:it|the\s+\p{L}+))\b(?:\s+for\s+(?:it|this|that))?(?=\s*(?:$|[.;!?]|,|\b(?:please|pls)\b))`,
    String.raw`${JOINT}\b(?:for\s+free|free\s+of\s+charge|for\s+nothing|gratis|at\s+no\s+(?:extra\s+)?(?:cost|charge)|on\s+the\s+house|on\s+us|as\s+a\s+courtesy|without\s+charg\w+(?:\s+(?:him|her|them|it|the\s+customer|\p{L}+))?)\b`,
    String.raw`(?:[\s,;]+(?:and|but|then|,|;)+\s+|[,;]\s*)(?:please\s+|pls\s+|do\s*n['’]?o?t\s+|not\s+)*(?:charge|bill|invoice|debit)\s+(?!me\s+if\b|on\b)(?:(?:it|that|this|the\s+fee|the\s+\$?\d+)\s+to\s+)?[^,.;!?]{1,40}?(?=\s*(?:$|[,.;!?]|\b(?:and|then)\b))`,
  ].join('|'),
  'giu',
);

function withoutMoney(text: string): Plainer {
  if (
    /\?\s*$/.test(text)
      ? !/\b(?:please|pls|plz)\b/i.test(text)
      : /^\W*(?:what|how|why|who|is|are|does|do|did|will)\b/iu.test(text)
  )
    return { text, told: [] };
  const left = text.replace(MONEY, ' ');
  const hasDeed = wordsOf(left).some(({ acts, isPast }) => !isPast && acts.some((act) => PAID.has(act)));
  const hasWhose = /\d{4}|\b(?:for|of)\s+\p{L}|['’]s\b|\b(?:it|him|her|them|line|number|sim)\b/iu.test(left);
  if (left === text || !hasDeed || !hasWhose) return { text, told: [] };
  const said = [...text.matchAll(MONEY)].map(([found]) => `“${found.replace(/^[\s,;(–-]+/, '').trim()}”`);
  const told = `. Not taken: ${said.join(', ')}. A fee belongs to its change and is billed with it: nobody is charged or spared it here`;
  return { text: left.replace(/\s+/g, ' ').trim(), told: [told] };
}

/** Acts that change lines. Others ask for money alone. */
const PAID: ReadonlySet<string> = new Set(
  'change reactivate activate park cancel swap portin portout create assign subscribe enroll unsubscribe block unblock text undo swapline raise'.split(
    ' ',
  ),
);

/** "Un cancel 0107", "re-activate": one word. */
const APART =
  /\b(un|re|de)[\s-]+(?=(?:cancel|park|block|suspend|freeze|pause|ban|bar|activat|connect|assign|subscrib|instat)\w*\b)/giu;

/** The sentence in plainer words. */
export function plainer(sentence: string): Plainer {
  const orders = plainOrders(switchWishes(sentence));
  const right = rightDetail(nounDeeds(withoutCourtesy(withoutPort(orders.text).text)).text);
  const only = onlyTell(right.text);
  const text = portState(only.text)
    .replace(/\bclose\s+(?:out|up)\s+(?=(?:number\s+|line\s+)?[#…*]*\d{4})/giu, 'cancel ')
    .replace(/\b(?:(?:at|on)\s+)?(?:the\s+)?(month|year)(?:['’]?s)?[\s-]end\b/giu, 'at the end of the $1')
    .replace(/\b(?:at\s+)?eom\b/giu, 'at the end of the month')
    .replace(/\b(until|till|til|by)\s+at\s+(?=the\s+end\s+of\s+the\s+(?:month|year)\b)/giu, '$1 ')
    .replace(APART, '$1')
    .replace(/\bun[\s-]?hold\b/giu, 'unpark')
    .replace(/(?<=\b(?:turn|switch|put)\b[^,.;!?]*)\bon\s+again\b/giu, 'back on')
    .replace(
      /(?<=\b(?:turn|switch|put|bring|get|take)\b[^,.;!?]*)\bback\s+(?:in(?:to)?\s+(?:service|operation|use|action)|online|live)\b/giu,
      'back on',
    )
    .replace(
      /(?<=\b(?:turn|switch)\s+(?:the\s+)?(?:texts?|texting|sms|messages?|messaging|calls?|calling|voice)\s+)back\s+(?=on\b)/giu,
      '',
    );
  const done = whenDone(
    text.replace(/,\s*(?:the\s+|its\s+)?(?:url|address|link)\s*(?:is|:|=)?\s*(?=https?:)/giu, ' at '),
  );
  const paid = withoutMoney(done.text);
  const [unpaid, told] = [paid.text, [...orders.told, ...right.told, ...only.told, ...done.told, ...paid.told]];
  const [off = unpaid] = [notTheirs, keptLine].map((reword) => reword(unpaid).text).filter((one) => one !== unpaid);
  if (off !== unpaid) return { text: off, told };
  const owned = ownersIn(unpaid);
  if (owned.text !== unpaid && !unpaid.includes('?')) return { text: owned.text, told: [...told, ...owned.told] };
  const back = wantsBack(unpaid);
  if (back !== undefined) return { text: back, told };
  if (ASKS_OR_REFUSES.test(unpaid)) return { text: unpaid, told };
  return [
    freeChanges,
    wrongDetail,
    namedKind,
    renamedCompany,
    withoutEid,
    newSim,
    forAll,
    withHolderName,
    newLastName,
    newPhone,
    prefixLast,
    simOfNewLine,
    reasonFirst,
    activatesNew,
    allowance,
    repliesTo,
    keepsNumber,
    newLines,
    newFor,
    forWhom,
    hookedUp,
    offPerson,
    ontoPerson,
    goesLive,
    wantsFor,
    onPhone,
    newWithPlan,
    planAfterNoun,
    limitPeriod,
    fromOwner,
    withCallerName,
    newName,
    withRightValue,
    withRole,
    toPlan,
    onPlan,
    withUndo,
    backOn,
    onOtherRoute,
    withWebhook,
    withOtherEvents,
    withFewerEvents,
  ].reduce<Plainer>(
    (before, reword) => {
      const next = reword(before.text);
      return { text: next.text, told: [...before.told, ...next.told] };
    },
    { text: unpaid, told },
  );
}
