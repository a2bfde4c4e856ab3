import { type GuidedAnswer, help } from '../answers/answer.ts';
import { nameIn } from '../answers/finder.ts';
import type { Reader } from '../answers/readings.ts';
import type { Asked } from '../facts/stance.ts';

/*
 * This file answers questions about ports: whether a line may leave, why a carrier rejects a port-in, and what is done then.
 * The carrier rejects the order, which is no decision about a request here.
 */

type Read = (asked: Asked, reader: Reader) => GuidedAnswer | undefined;

const OUT = String.raw`(?:port(?:ed|ing|able)?(?:[\s-]*|\s+(?:\S+\s+){1,3})(?:outs?|away)\b|portout\b|leav(?:e|ing)\s+(?:us\b|for\s+\p{L})|(?:be\s+)?(?:moved|transferred|ported)\s+(?:away|elsewhere|to\s+(?:another|a\s+different|the\s+new|a\s+new)\s+(?:carrier|provider|operator)))`;
const ABLE = String.raw`(?:eligib\w+|qualif\w+|free\s+to|allowed|able|ok(?:ay)?|fine|possible|portab\w+)`;
/** "Is 0103 ok to port out", "0102 eligible for port out?", "may she leave us", and no order: "can you port out 0103". */
const MAY_LEAVE = new RegExp(
  String.raw`\b${ABLE}\b[^.;!]*\b${OUT}|\bportable\s+(?:out|away)\b|\b(?:if|whether)\b[^.;!]*\b(?:can|may|could)\b[^.;!]*\b${OUT}|\b${OUT}[^.;!]*\b(?:eligib\w+|allowed|possible)\b|^\W*(?:(?:hi|hey|so|and|ok|check|see|if|whether|tell|me|quick|question)[\s,:]+)*(?:may|can|could)\s+(?!you\b|u\b|we\b|i\b|someone\b)[^.;!]*\b${OUT}`,
  'iu',
);
const OTHER_OUT =
  /\bpins?\b|\bpasscode\b|^\W*(?:(?:so|and|ok)\s+)*(?:what|how|when|why|who|where|which)\b|\b(?:not|never|stop|prevent|block|lock|protect|without|already|being|unless)\b|n['’]t\b|\bin\b[^.;!]*\bout\b/iu;

function leaving(line: string | undefined): string {
  return `No check says whether a line may leave: another carrier takes it with its port-out PIN. “Set a port-out PIN for ${line ?? 'NUMBER'}” asks for one. Nothing was done.`;
}

/** "2015550102 eligible for port out?": nothing checks that, and the check of port-ins is about the other direction. */
const ofLeaving: Read = ({ facts, said, clauses }, { finder }) => {
  if (facts.mentions.length > 1 || !MAY_LEAVE.test(said) || OTHER_OUT.test(said)) return undefined;
  if (!ASKS.test(said.trim()) && !/\beligib\w+|\b(?:if|whether)\b/iu.test(said)) return undefined;
  const [line] = facts.mentions;
  if (line === undefined && nameIn(facts, clauses) === undefined) return undefined;
  const lead = leaving(line?.text);
  const shown = finder.plainLookup(facts, clauses);
  if (shown.kind === 'help') return { ...help(lead.slice(0, -1)), operation: 'numbers_portout' };
  return { ...shown, isInstead: true, lead, understood: `${lead} ${shown.understood}` };
};

const OF_PORT =
  /\bport(?:s|ed|ing|[\s-]?ins?)?\b(?![\s-]*(?:outs?|away)\b)|\b(?:losing|old|other)\s+carrier\b|\bcarriers?\s+(?:\p{L}+\s+)?(?:reject|refus|den)\w*/iu;
const REJECTED = /\b(?:reject\w*|refus\w*|den(?:y|ies|ied)|bounc\w+|object\w*|kick\w*\s+back)\b/iu;
const ASKS =
  /\?\s*$|^\W*(?:(?:hi|hey|so|and|ok|okay|but|then|well|quick|question)[\s,:]+)*(?:how|what|whats|why|where|when|can|could|should|do|does|is|are|if)\b/iu;
const WHY =
  /^\W*(?:(?:hi|hey|so|and|ok|but|quick|question|for)[\s,:]+)*(?:why|how\s+come|(?:what\s+(?:are\s+)?(?:the\s+)?)?(?:\p{L}+\s+)?reasons?|what\s+(?:makes|causes|would|could|can)\b(?![^.;!?]*\b(?:do|done)\b)|when\s+(?:is|are|does|would|do))\b/iu;
const WHAT_NOW = /\b(?:what\s+(?:now|next|then)|(?:what|how)\s+(?:do|can|should|must)\s+(?:i|we|you))\b/iu;
const HAPPENED =
  /\b(?:since|today|yesterday|overnight|last|this\s+(?:week|month)|any\w*|how\s+many|list|show|which)\b|^\W*(?:(?:so|and|ok)\s+)*(?:did|was|were|has|have|is|are)\b/iu;
const WRONG_PIN =
  /\b(?:where|how)\b[^.;!?]*\b(?:fix|correct|change|update|enter|put|give)\b|\b(?:fix|correct|change|update)\b[^.;!?]*\b(?:where|how)\b/iu;
const GAVE_PIN =
  /\b(?:wrong|incorrect|bad|old)\s+(?:account\s+|carrier\s+)?(?:pin|passcode|account\s+(?:number|no)|zip)\b/iu;

const PIN = /\b(?:pin|passcode)\b/iu;
const WRONG = /\b(?:wrong|incorrect|rejected|refused|not\s+(?:right|correct|valid))\b/iu;

const FIX =
  'A port-in that the other carrier rejected is corrected, and the correction submits it again: “the account number of the port of NUMBER is …”, and likewise the name, the address, the ZIP and the day. A PIN is typed into the form alone. “Status of the port of NUMBER” has what the carrier objected to. Nothing was done';
const REASONS =
  'A carrier rejects a port-in whose details differ from its own records: the account number, the PIN, the name or the address and ZIP on the bill. “Status of the port of NUMBER” has what it objected to, and a correction submits the order again. Nothing was done';

/** "How do I resubmit a rejected port", "why would a port be rejected", "where do I fix the wrong pin". */
const ofRejected: Read = ({ facts, said }) => {
  if (facts.mentions.length + facts.ids.length > 0 || facts.message !== undefined) return undefined;
  const isPin =
    (GAVE_PIN.test(said) || (PIN.test(said) && WRONG.test(said))) &&
    WRONG_PIN.test(said) &&
    !/\bport(?:ing)?[\s-]?out\b/iu.test(said);
  if (isPin) return { ...help(FIX), operation: 'numbers_portin_update' };
  if (
    !(ASKS.test(said.trim()) || WHAT_NOW.test(said)) ||
    !REJECTED.test(said) ||
    !OF_PORT.test(said) ||
    HAPPENED.test(said)
  )
    return undefined;
  if (WHY.test(said)) return { ...help(REASONS), operation: 'numbers_order_get' };
  return /\b(?:how|what|where|can|could|should|do)\b/iu.test(said)
    ? { ...help(FIX), operation: 'numbers_portin_update' }
    : undefined;
};

const ASKED_OUT = 'You asked about "Set a port-out PIN". Nothing was done.';
const MAY =
  /^\W*(?:(?:hi|hey|so|and|ok|check|see|if|whether|tell|me|quick|question)[\s,:]+)*(?:may|can|could|is|are|does|would)\b/iu;

/** The line that a question of a port-out shows, with the answer whether it may leave. */
export function withLeaving(guided: GuidedAnswer, said: string): GuidedAnswer {
  if (guided.lead !== ASKED_OUT || !MAY.test(said) || OTHER_OUT.test(said)) return guided;
  const lead = leaving(undefined);
  return { ...guided, lead, understood: guided.understood.replace(ASKED_OUT, lead) };
}

/** The answer to such a question. Undefined for any other sentence. */
export function ofPortQuestion(asked: Asked, reader: Reader): GuidedAnswer | undefined {
  return ofLeaving(asked, reader) ?? ofRejected(asked, reader);
}
