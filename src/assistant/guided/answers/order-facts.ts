import { carriers } from '../../../../tools/surfaces/words.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { Fields } from '../../../lib/json.ts';
import { phonesIn } from '../../../platform/dialect/phone.ts';
import { readFacts } from '../facts/facts.ts';
import { answer, type GuidedAnswer, help, understood } from './answer.ts';
import { withoutKeptRest } from './kept-values.ts';
import { PIN_DIGITS } from './untaken.ts';

/*
 * Facts about a port-in that was ordered: "rejected, zip mismatch, should be 60611", "new port date for +1… is dec 9", "the
 * authorised name on +1… should be Carla Reed". Each value is looked for by its kind, before and
 * after the word that names it. The values correct the order, also if the message lacks its id.
 */

const CORRECTS = 'numbers_portin_update';
const CANCELS = 'numbers_portin_cancel';
const PORTS = 'numbers_portin';
/** Says that a value takes the place of another one. */
const CORRECTIVE =
  /\b(?:wrong|incorrect|(?:is|was)\s*(?:n['’]?t|not)\s+(?:right|correct|valid)|right\s+one|should|must|has\s+to|needs\s+to\s+be|reject\w*|bounced?|typo|mismatch|changed?|moved?|push(?:ed)?|postponed?|rescheduled?|delayed?|instead|rather|make\s+(?:it|that|the\s+port)|corrected|correct(?:ion|ed)?|fix(?:ed)?|updated?|amend|now\s+with|actually|new\s+(?:port\s+)?(?:date|day|zip|name|address|account|pin))\b/iu;

const ASKS =
  /\?\s*$|["“„]|^\W*(?:(?:so|and|hi|hey|ok|pls|please)[\s,]+)*(?:who|what|whats|which|where|when|why|how|is|are|was|were|does|do|did|has|have|can|could|should|may|will|show|tell|check|(?:(?:the|our|that)\s+)?(?:port(?:ing|[\s-]?in)?\s+(?:order\s+)?)?(?:status|state))\b|\b(?:if|unless|whether)\b/iu;
/** Orders a port-in, or is about another record. */
const OTHER =
  /\b(?:start|begin|submit|open|place|create|initiate|request|need|book)\s+(?:(?:an?|the|another|new)\s+)*port(?:ing|[\s-]?in)?\b(?!\s+(?:date|correction|order\s+(?:date|correction)))|(?:^\W*(?:(?:please|pls|plz|can\s+you|could\s+you|and|now|ok|hi|hey|customer\s+wants\s+to|we\s+need\s+to|i\s+need\s+to)[\s,]+)*)(?:port|port[\s-]?in|porting|bring|transfer|move|take\s+over)\s+(?:in\s+|over\s+)?(?:(?:the|her|his|their|number|line|mobile|landline|\p{L}+['’]s)\s+)*\+?\(?\d|\b(?:trunks?|sip|routes?|webhooks?|port[\s-]?(?:out|away)|porting\s+out|port-?out|port(?:ing)?\s+(?:(?:the|her|his|their|line|number)\s+)*[#…*]*\+?\d{4,11}\s+(?:out|away)|leav(?:e|es|ing)|cancel\w*|withdraw\w*|stop|subscriber\s+named|new\s+(?:customer|subscriber|account))\b/iu;
/** Words that only the order of a port-in has. */
const OF_PORT =
  /\bJNUOID-|\bport(?:s|ed|ing|[\s-]?ins?)?\b|\b(?:losing|old|previous|former)\s+(?:carrier|provider|operator|account|acct)\b|\bauthori[sz]ed\s+(?:name|person|contact|signer|user)\b|\bfoc\b|\bcarrier\s+(?:rejected|says|wants|sent|bounced)|\b(?:rejected|bounced)\b/iu;
const ORDER = /\border\b/iu;

/** "Port 3125550111 date to 12/14": the port that has this number, and no order for one. */
const OF_NUMBER =
  /^(?<lead>\W*(?:(?:please|pls|plz|can\s+you|could\s+you|and|now|ok|hi|hey)[\s,]+)*)port(?:[\s-]?in)?\s+(?:of\s+|for\s+)?(?<number>\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4})(?:['’]s)?[\s:,–-]+(?=(?:(?:the|her|his|their|its|new|port(?:ing)?|foc|billing|account|acct|subscriber|authori[sz]ed|losing|current|sim|zip|e-?)\s*)*(?:date|day|foc|name|address|street|zip(?:\s*code)?|account|acct|number|no|pin|passcode|carrier|provider|sim|iccid|holder)\s*(?:\b(?:to|should|must|has\s+to|needs\s+to|ought\s+to|is\s+(?:now|actually|really|wrong|not)|was\s+(?:wrong|not)|changes?|changed|moves?|moved)\b|[-=]+>))/iu;
/** "The PIN on the 0111 port": the last digits of the number. */
const OF_TAIL = /\b(?:on|of|for|in|with)\s+(?:the\s+|that\s+)?[#…*]*(?<tail>\d{4})\s+port(?:[\s-]?in)?\b/iu;
/** Moves a day that there is already. */
const MOVES =
  /\b(?:later|earlier|sooner|postpone\w*|reschedul\w*|delay\w*|push(?:ed|es|ing)?|(?:move|shift|put|bring)\w*\s+(?:it\s+)?(?:to|out|back|up|forward|ahead)|instead|rather)\b/iu;

const ASKS_MOVE =
  /^\W*(?:(?:hi|hey|so|and|ok|please|pls)[\s,]+)*(?:can|could|would|may)\s+(?:we|you|u|i|they)\s+(?:please\s+)?(?=(?:get|have|make|move|push|put|bring|reschedule|delay|postpone|shift)\b)/iu;

/** "It's 60614 not 60601" */
const OTHER_ZIP = /(?<=\d{5}[\s,]+(?:and\s+)?)(?:not|instead\s+of|rather\s+than)\s+\d{5}\b/giu;
const ZIP_WORD = /\b(?:zip|postal)(?:\s*code)?\b/iu;
const ZIP = /(?<![\d.+-])(?<!\d\s)\d{5}(?![\d-])/gu;
const ACCOUNT_WORD = /\b(?:account|acct|acc)\b\.?(?!\s+(?:name|holder))/iu;
const ACCOUNT = /(?<![\w.+-])(?=[A-Z-]*\d)[A-Z\d][A-Z\d-]{3,19}(?![\w-])/gu;
const NAME_WORD = /\b(?:names?|authori[sz]ed|holder|signer|contact|owner|initial)\b/iu;
const NAME =
  /(?:\b(?:is|be|read|say|to|its|it['’]s)|[:=,]|\bauthori[sz]ed(?:\s+(?:name|person|contact|signer|user))?|name)\s*[:=]?\s*(?<name>\p{Lu}[\p{L}'’-]*(?:\s+\p{Lu}[\p{L}'’-]*(?:\.(?=\s\p{Lu}|$))?){1,3})/gu;
const ENDS_SENTENCE = /(?<!\b[JS]r)\.$/u;
const DATE_WORD =
  /\b(?:date|day|foc|move|moved|push|pushed|postpone|reschedule|delay|instead|rather|later|earlier|new\s+day|make\s+(?:it|that|the\s+port))\b/iu;
const PIN_WORD = /\b(?:pin|passcode|password)\b/iu;
const WRONG =
  /\b(?:wrong|incorrect|rejected|bad|invalid|old|changed|new\s+one|mismatch|not\s+(?:right|valid|correct))\b/iu;
const NOT = String.raw`\b(?:not|instead\s+of|rather\s+than|from|was|no\s+longer)\s+(?:with\s+|at\s+|on\s+)?`;
/** The source of an expression for a carrier by its name. */
const CARRIERS = String.raw`(?:at\s?&\s?t|${[...carriers].sort((one, other) => other.length - one.length).join('|')})(?:\s+(?:mobile|wireless|telecom)\b)?`;
const CARRIER = new RegExp(String.raw`(?<before>${NOT})?\b(?<name>${CARRIERS})(?!\w)`, 'giu');
const KNOWN_CARRIER = String.raw`(?<![\w-])${CARRIERS}(?!\w)`;
const REPORTS = String.raw`\s+(?=(?:just\s+|now\s+)?(?:says?|said|tells?|told|reports?|reported|claims?|claimed|rejected|rejects|bounced|objects?|objected|complains?|complained|insists?)\b)`;
const OF_VALUE = String.raw`(?<!\b(?:is|be|with|to|at|from|carrier|provider|operator)\s+)`;
/** A carrier that is taken back, and one that only reports: "tmobile, sorry, Lakeside says the PIN is wrong". */
const NO_VALUE = [
  new RegExp(
    String.raw`${KNOWN_CARRIER}[\s.,…–-]+(?:(?:oh|no|wait)[\s,]+)*(?:sorry|i\s+mean(?:t)?|scratch\s+that|correction|or\s+rather)\b[\s,]*`,
    'giu',
  ),
  new RegExp(
    `${OF_VALUE}${KNOWN_CARRIER}${REPORTS.replace('insists?', 'insists?|needs?|wants?|requires?|asks?')}`,
    'giu',
  ),
  new RegExp(String.raw`${OF_VALUE}(?<![\p{L}-])\p{Lu}[\p{L}-]+(?:\s(?:Mobile|Wireless|Telecom))?${REPORTS}`, 'gu'),
];
/** "The carrier on the port is actually Prairie Mobile": any name that the sentence gives to the carrier. */
const CALLED_CARRIER =
  /\b[Cc]arrier\b[^.,;!?]{0,60}?\s(?:is|be|named|called)\s+(?:(?:actually|now|really|in\s+fact)\s+)?(?<name>\p{Lu}[\p{L}\d&'’-]*(?:\s+\p{Lu}[\p{L}\d&'’-]*){0,3})/u;

/** The values of a port-in in a text, and the pieces of the text that are taken. */
function valuesIn(said: string, now: number): { input: Fields; pieces: string[] } {
  const { account, details, days, times, numbers, ids, iccid } = readFacts(said, now);
  const input: Record<string, unknown> = {};
  const pieces: string[] = [];
  const take = (field: string, value: unknown, piece: string) => {
    input[field] = value;
    pieces.push(piece);
  };
  const plain = [...ids].reduce((text, id) => text.replace(id, ' '), said);
  const apart =
    numbers.length === 0 ? plain : plain.replace(/\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d)/gu, ' ');
  const zip =
    ZIP_WORD.test(apart) && details.postal === undefined ? apart.replace(OTHER_ZIP, ' ').match(ZIP)?.at(-1) : undefined;
  if (zip !== undefined) take('CurrentBillingAddress', { Zip: zip }, zip);
  const number = account ?? accountIn(apart, details.postal?.parts.Zip ?? zip);
  if (number !== undefined) take('CurrentAccountNumber', number, number);
  const name =
    details.holder ??
    (NAME_WORD.test(apart) ? [...apart.matchAll(NAME)].at(-1)?.groups?.name?.replace(ENDS_SENTENCE, '') : undefined);
  if (name !== undefined) take('SubscriberName', name, name);
  if (details.postal !== undefined) input.CurrentBillingAddress = details.postal.parts;
  const carrier =
    CALLED_CARRIER.exec(apart)?.groups?.name ??
    [...apart.matchAll(CARRIER)].findLast(({ groups }) => groups?.before === undefined)?.groups?.name;
  const isCarrier = /\b(?:with|carrier|provider|operator|to|at)\b/iu.test(apart);
  if (carrier !== undefined && isCarrier) take('CurrentCarrierName', carrier, carrier);
  if (iccid !== undefined) take('ICCID', iccid, iccid);
  const day = days.find(({ isEnd }) => !isEnd)?.iso;
  const [spoken] = times.flatMap((time) => (time.day?.iso === day ? [time.text] : []));
  if (day !== undefined && DATE_WORD.test(apart)) take('PortInDate', day, spoken ?? day);
  return { input, pieces };
}

/** Finds the account number behind its word, or else before it. */
function accountIn(text: string, zip: string | undefined): string | undefined {
  const at = text.search(ACCOUNT_WORD);
  const found = at < 0 ? [] : [...text.matchAll(ACCOUNT)].filter(([one]) => one !== zip);
  return (found.find(({ index }) => index > at) ?? found.at(-1))?.[0];
}

/** The readings that a correction needs. */
interface Reader {
  one: (text: string) => GuidedAnswer;
  /** The values of a text, as those of a correction. */
  values: (text: string) => GuidedAnswer;
  /** Undefined for a writer who may not correct an order. */
  tool: Tool | undefined;
  now: number;
}

/** The correction of the order that a fact is about. Undefined for other sentences. */
export function ofOrderFacts(text: string, { one, values, tool, now }: Reader): GuidedAnswer | undefined {
  // "Can we get it two days earlier?" asks for a move.
  const order = ASKS_MOVE.test(text) && MOVES.test(text) ? text.replace(ASKS_MOVE, '').replace(/\?\s*$/u, '') : text;
  const said = order.replace(OF_NUMBER, '$<lead>the port of $<number>: ');
  const [number, ...others] = phonesIn(said);
  if (tool && others.length === 0 && REMOVES.test(said) && OF_PORT.test(said) && !ASKS.test(said)) {
    const input = number === undefined ? {} : { OrderId: number };
    return { ...answer('form', { tool, input, understood: `${understood(tool, input)}${KEPT}` }), remarks: KEPT };
  }
  if (!tool || others.length > 0 || ASKS.test(said) || OTHER.test(said)) return undefined;
  const whole = NO_VALUE.reduce((text, pattern) => text.replace(pattern, ''), withoutKeptRest(said));
  const plain = whole.replace(PIN_DIGITS, ' ');
  const { input: taken, pieces } = valuesIn(plain, now);
  const span = 'PortInDate' in taken || !MOVES.test(plain) ? undefined : SPAN.exec(plain)?.[0];
  if (span !== undefined && OF_PORT.test(said))
    return movedBy(span, values(plain.replace(span, ' ').replace(MOVES, ' ')), tool, number);
  const isPin = PIN_WORD.test(said);
  const isOfNumber =
    number !== undefined &&
    (ORDER.test(said) ||
      'CurrentBillingAddress' in taken ||
      ('CurrentAccountNumber' in taken && CORRECTIVE.test(said)) ||
      (isPin && WRONG.test(said)));
  const isMoved = number !== undefined && 'PortInDate' in taken && MOVES.test(said);
  if (!(OF_PORT.test(said) || isOfNumber || isMoved) || (Object.keys(taken).length === 0 && !isPin)) return undefined;
  const read = one(said);
  // "Move the ported line to another SIM" changes the line, and a day may be that of another change.
  const isOnly = (name: string) => Object.keys(taken).every((field) => field === name) && !isPin;
  if ((isOnly('ICCID') || !(OF_PORT.test(said) || isOfNumber)) && read.kind !== 'lookup') return read;
  const isFuller =
    Object.entries(taken).every(([name, value]) =>
      typeof value === 'string' ? String(read.input[name] ?? '').includes(value) : read.input[name] !== undefined,
    ) && plain === text;
  if (read.operation === PORTS && !CORRECTIVE.test(said)) return read;
  if (read.operation === CANCELS || read.isRefused || (read.operation === CORRECTS && isFuller)) return read;
  const rest = pieces
    .reduce((text, piece) => text.replace(wholly(piece), ' '), plain)
    .replace(IT, ' ')
    .replace('PortInDate' in taken ? DAY : IT, ' ')
    .replace('ICCID' in taken ? SIM : IT, ' ');
  const filled = values(rest);
  const own: GuidedAnswer = filled.operation === CORRECTS ? filled : { ...help(undefined), wordsLeft: [] };
  const tail = number ?? (own.input.OrderId === undefined ? OF_TAIL.exec(said)?.groups?.tail : undefined);
  const input = { ...own.input, ...(tail !== undefined && { OrderId: tail }), ...taken };
  const before = understood(tool, own.input);
  const after = own.understood.startsWith(before) ? own.understood.slice(before.length) : '.';
  const told = plain === whole ? '' : SECRET;
  const remarks = `${told}${own.remarks ?? ''}`;
  return {
    ...{ ...own, kind: 'form', operation: CORRECTS, input },
    understood: `${understood(tool, input)}${told}${after}`,
    ...(remarks !== '' && { remarks }),
  };
}

/** "Push the port of +1… out a week": an order shows no day from which a week could be counted. */
function movedBy(span: string, filled: GuidedAnswer, tool: Tool, number: string | undefined): GuidedAnswer {
  const { PortInDate: _, ...own } = filled.operation === CORRECTS ? filled.input : {};
  const input = { ...own, ...(number !== undefined && { OrderId: number }) };
  const remarks = `. Not taken: “${span}”, because the order shows no day to count from: write the new day, such as “dec 14”`;
  return { ...answer('form', { tool, input, understood: `${understood(tool, input)}${remarks}` }), remarks };
}

const SPAN =
  /\b(?:an?|one|two|three|four|five|\d{1,2}|(?:a\s+)?(?:few|couple(?:\s+of)?))\s+(?:more\s+|business\s+|working\s+)?(?:days?|weeks?|months?)\b/iu;

/** "Remove the date from the port": the order stays. */
const REMOVES =
  /\b(?:remove|delete|clear|drop|erase|take\s+(?:off|out|away))\s+(?:the\s+|that\s+|its\s+|her\s+|his\s+|their\s+)?(?:port(?:ing|[\s-]?in)?\s+)?(?:date|day|foc|zip|name|address|street|pin|passcode|carrier|account(?:\s+number)?|sim|iccid)\b/iu;
const KEPT = '; a value of an order can be corrected, and not be taken off it: the order itself goes on';
/** The order itself. */
const IT = /\b(?:it|its|this|that)\b(?!\s+(?:line|number))/giu;
const DAY =
  /\b(?:new\s+)?(?:port(?:ing)?\s+)?(?:date|day|foc)\b|(?:\b(?:an?|one|two|three|\d+|(?:a\s+)?few)\s+(?:days?|weeks?)\s+)?\b(?:later|earlier|sooner)\b/giu;
const SIM = /\b(?:new\s+)?(?:e?sim|iccid)(?:\s+(?:number|card))?\b/giu;
const SECRET = '; the PIN is a secret: type it into the form alone';

/** Matches a text by whole words. */
function wholly(text: string): RegExp {
  return new RegExp(`(?<![\\w+-])${text.replace(/[.*+?^\x24{}()|[\]\\]/g, '\\$&')}(?![\\w-])`, 'u');
}
