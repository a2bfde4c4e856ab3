import { fieldsOf } from '../../../catalogue/fields.ts';
import { isChange, type Tool } from '../../../catalogue/operation.ts';
import { withPlaceWords } from '../../../language/places.ts';
import type { Shown } from '../../../language/shown.ts';
import { defined, type Fields } from '../../../lib/json.ts';
import { phonesIn } from '../../../platform/dialect/phone.ts';
import { type GuidedAnswer, help } from '../answers/answer.ts';
import { takesNumbers } from '../answers/fill.ts';
import { withAskedOwner } from '../answers/owners.ts';
import { aboutOf, ruleIn } from '../answers/rules.ts';
import { isOffer, isSameRecord, type Meant, type Part, type Reading } from '../answers/topics.ts';
import { onlyDeed } from '../changes/small-talk.ts';
import { plainAmounts } from '../facts/amounts.ts';
import { readFacts } from '../facts/facts.ts';
import { withDoubleQuotes } from '../facts/quotes.ts';
import { ofAskedState } from '../reads/asked-state.ts';
import { withoutForbidden } from '../wordings/own-orders.ts';
import { withoutLaterSecret } from '../wordings/port-facts.ts';
import { withPart } from './open-parts.ts';
import { plainTalk } from './plain-talk.ts';
import { ofPortOrder, withAccountNumber } from './port-orders.ts';
import { bound, subjectOf } from './subjects.ts';
import { meantIn } from './thread.ts';
import { asNewAmount } from './value-corrections.ts';
import { stopsWatch } from './watched.ts';
import { whichAnswer } from './which-one.ts';

/** The answer to a message that its thread explains, with a sentence that says how it was read. */
export function inThread(
  message: { text: string; earlier: readonly string[]; now: number; shown?: readonly (Shown | undefined)[] },
  { answered, toolOf, valuesFor }: { answered: (text: string) => GuidedAnswer } & Pick<Reading, 'toolOf' | 'valuesFor'>,
): GuidedAnswer {
  const known = new Map<string, GuidedAnswer>();
  const parts = new Map<string, Part>();
  const alone = (text: string) => {
    const own = [...parts].filter(([fragment]) => text.includes(fragment));
    const rest = own.reduce((whole, [fragment]) => whole.replace(fragment, ''), text);
    const wanted = withoutForbidden(rest);
    const answer =
      known.get(text) ??
      own.reduce(
        (guided, [, part]) => withPart(guided, part, toolOf(part.operation)),
        noted(answered(wanted.text), wanted.told.join('')),
      );
    known.set(text, answer);
    return answer;
  };
  const join = (fragment: string, part: Part) => {
    parts.set(fragment, part);
    for (const text of known.keys()) if (text.includes(fragment)) known.delete(text);
  };
  const isChange = (id: string) => (toolOf(id)?.risk ?? 'read') !== 'read';
  const reading = { of: alone, isChange, toolOf, valuesFor, join };
  const plain = (one: string) =>
    withoutLaterSecret(
      withAccountNumber(plainTalk(withAskedOwner(withDoubleQuotes(one))), message.earlier),
      message.earlier,
    );
  const said = message.earlier.map(plain);
  // The text of a message goes out as it was typed.
  const inFull = (one: string, before: readonly string[]) =>
    readFacts(one, message.now).message === undefined ? continued(one, before) : one;
  const text = inFull(plain(message.text), said);
  const earlier = said.map((one, at) => inFull(one, said.slice(0, at)));
  const order = earlier.length > 0 ? asDeed(text) : undefined;
  const meant = meantIn(order ?? text, earlier, message.now, reading, message.shown);
  const isNamed = (means: string) => earlier.some((one) => one.includes(means));
  const own = ofAskedState(ofMeant(meant, alone, toolOf, isNamed), text, alone);
  const read = ofPortOrder(withoutGone(own, meant, alone), text, said, alone);
  const guided = { ...read, ...defined({ stateOf: meant.stateOf && alone(meant.stateOf).operation }) };
  const isInstead = order !== undefined || INSTEAD.test(text);
  return withPlaces(isInstead ? inItsPlace(guided, meant, reading) : guided);
}

/** The answer whose texts name places of a list in words. */
function withPlaces(guided: GuidedAnswer): GuidedAnswer {
  const { understood, remarks, narrow } = guided;
  return {
    ...guided,
    understood: withPlaceWords(understood),
    ...(remarks !== undefined && { remarks: withPlaceWords(remarks) }),
    ...(narrow && { narrow: { ...narrow, said: withPlaceWords(narrow.said) } }),
  };
}

/** The answer to what a message asks for after it takes the open offer back. */
function withoutGone(
  guided: GuidedAnswer,
  { gone, also = [] }: Meant,
  answered: (text: string) => GuidedAnswer,
): GuidedAnswer {
  const operation = gone === undefined ? undefined : answered(gone).operation;
  if (gone === undefined || operation === undefined) return guided;
  const orders = [...also, gone].map((one) => `“${one}”`).join(' and ');
  const are = also.length > 0 ? 'are' : 'is';
  const isOther = guided.kind === 'form' || guided.kind === 'question';
  const told = isOther ? `. It takes the place of ${orders}, which ${are} withdrawn` : `. ${orders} ${are} withdrawn`;
  return noted({ ...guided, takesBack: operation, ...withdrawn(also, answered) }, told);
}

const DEED =
  '(?:put|place|hold|block|unblock|allow|cancel|reactivate|raise|lower|move|assign|text|send|park|suspend|pause|freeze|activate|resume|reactivate|unpark|swap|limit|cap|set|give|change|correct|update|switch|turn|fix|rename|remove|add|port)';
/** "No wait, just a hold" */
const JUST_A =
  /^\W*(?:(?:oh|ok|okay|no|nope|wait|sorry|actually)[\s,.!]+)*(?:just|only|rather|make\s+(?:it|that))\s+(?:an?\s+|the\s+)?(?<deed>hold|suspension|pause|park)(?:[\s,]+(?:please|pls|instead|then|for\s+now))*[\s.!]*$/iu;

function asDeed(text: string): string | undefined {
  return JUST_A.test(text) ? 'just hold it' : undefined;
}

const INSTEAD = new RegExp(
  String.raw`^(?!.*\?)\W*(?:(?:oh|ok|okay|wait|sorry|ah|hm+|no|nope|nah|actually|rather|better|just|only|please|pls)[\s,.!]+)*(?:${DEED}\b.*\b(?:instead|rather)\b|(?:(?:do\s*n['’]?o?t|do\s+not|dont|not)\s+\p{L}+(?:\s+(?:it|that|her|him|them))?[\s,;]+(?:(?:but|just|only|rather|please|pls|instead)[\s,]+)*)${DEED}\b|(?<=\b(?:no|nope|nah|actually|rather)[\s,.!]+(?:(?:just|only|please|pls|better|rather)\s+)*)${DEED}\b)`,
  'iu',
);

/** Another change of the same line "instead": the offer before is withdrawn. */
function inItsPlace(guided: GuidedAnswer, { kind, open, subject, also = [] }: Meant, reading: Reading): GuidedAnswer {
  if (open === undefined || (kind !== 'refers' && kind !== 'alone' && kind !== 'read') || !isOffer(guided, reading))
    return guided;
  const before = reading.of(open);
  const isSubject = subject !== undefined && subjectOf(before, open, reading.toolOf)?.words === subject.words;
  if (before.operation === guided.operation || !(isSubject || isSameRecord(before, guided))) return guided;
  const gone = [...also, open].map((one) => `“${one}”`).join(' and ');
  const are = also.length > 0 ? 'are' : 'is';
  return noted(
    { ...guided, ...withdrawn(also, reading.of) },
    `. It takes the place of ${gone}, which ${are} withdrawn`,
  );
}

const NEW_LINE = /\b(?:new|another|fresh|order|provision|buy|need)\b[^.;!?]*\b(?:lines?|numbers?)\b/i;

/** "385 please" after "new line for Ava" is its area code, and "2,5 gb" an amount. */
function continued(text: string, earlier: readonly string[]): string {
  if (earlier.length === 0 || text.length > 60 || /["“„:]/.test(text)) return text;
  // "Set it to 203.0.113.7" after a question about trunk 2 is about this trunk.
  const trunk = /\btrunk\s*[12]\b(?!.*\btrunk\s*[12]\b)/iu.exec(earlier.at(-1) ?? '')?.[0];
  if (trunk !== undefined && /(?:\d{1,3}\.){3}\d/.test(text) && !/\btrunk\b/i.test(text))
    return text.replace(/\b(?:it|that)\b/iu, `${trunk} of it`);
  const amount = asNewAmount(text);
  if (amount !== text) return amount;
  const [, area] =
    /^\W*(?:(?:in|with|try|maybe|make\s+it)\s+)*(\d{3})(?:[\s,]+(?:please|pls|plz|thanks?|then))*\W*$/i.exec(text) ??
    [];
  const last = earlier.at(-1) ?? '';
  // "Find 0105", and then only "suspend".
  const deed = onlyDeed(text);
  if (deed !== undefined && !/^(?:cancel|block|unblock|swap|delete|terminate|disconnect)$/i.test(deed))
    return `${deed} it`;
  if (area !== undefined && NEW_LINE.test(last) && !/\d{3}/.test(last)) return `area code ${area}`;
  // "No, only 100 more" after "200 MB more" is another amount.
  if (/\bmore\b/i.test(last) && /^\W*(?:no|nope|sorry|wait|actually)\b.*\d\s+more\W*$/i.test(text))
    return continued(text.replace(/\s+more\W*$/i, ''), earlier);
  const amounts = plainAmounts(text);
  return amounts.unread.length === 0 ? amounts.text : text;
}

function ofMeant(
  {
    text,
    kind,
    before = '',
    word,
    note,
    isCancel,
    part,
    open,
    undoing,
    also = [],
    hasShownUnit,
    isOfSender,
    subject,
    pick,
    choices,
    holders,
  }: Meant,
  alone: (text: string) => GuidedAnswer,
  toolOf: (id: string) => Tool | undefined,
  isNamed: (means: string) => boolean,
): GuidedAnswer {
  if (kind === 'which') return whichAnswer({ choices, note }, alone, toolOf);
  if (kind === 'unclear') return { ...help(`${note ?? ''}. Nothing was done`), ...defined({ holders }) };
  if (kind === 'alone' && before !== '' && isNothing(alone(text), text))
    return (
      (ASKS.test(text) ? costOf(alone(before), toolOf, 'about') : undefined) ??
      help(
        `What “${text}” changes in “${before}” was not understood. Write the whole order. What was offered before is as it was`,
      )
    );
  // A lookup leaves the offer open.
  const isShown = open !== undefined && showsOnly(alone(text), toolOf);
  const stays = isShown ? '. What was offered before is as it was' : '';
  if (kind === 'alone')
    return noted(
      alone(text),
      `${note === undefined ? '' : `. ${note}`}${unnamedIn(text, alone(text), toolOf)}${stays}`,
    );
  if (kind === 'cost' || kind === 'about')
    return costOf(alone(before), toolOf, kind) ?? toldOf(alone(before)) ?? alone(text);
  if (kind === 'missing') return missingFrom(alone(before), before, toolOf) ?? alone(text);
  if (kind === 'back') {
    const offer = alone(before);
    const tool = toolOf(offer.operation ?? '');
    // A watch is no change, and is offered like one.
    const isOffered = tool !== undefined && (isChange(tool) || (tool.risk !== 'read' && offer.kind === 'form'));
    if (!isOffered) {
      const answer = alone(text);
      return answer.understood === '' ? help('Nothing was asked for that could be taken back') : answer;
    }
    const undone = undoing ?? stopsWatch(offer);
    return {
      ...help(
        `${takenBack([...also, before])}${instead(offer, before, isCancel)}${undone === undefined ? '' : `. If it was carried out already, write “${undone}”`}${note === undefined ? '' : `. ${note}`}`,
      ),
      ...ordered(offer),
      takesBack: tool.id,
      ...withdrawn(also, alone),
    };
  }
  const own = alone(text);
  const { unitless, isList, ...read } = withNote(
    subject ? bound(own, subject, toolOf(own.operation ?? '')) : own,
    note,
  );
  const guided: GuidedAnswer = {
    ...read,
    ...(unitless && { unitless: { ...unitless, ...(hasShownUnit && { isShown: true as const }) } }),
    ...(isOfSender && { isOfSender }),
    ...(isList && !pick && { isList }),
    ...(pick && { narrow: pick }),
  };
  const told =
    kind === 'refers'
      ? `; “${word?.said}” is read as ${word?.means}, ${isNamed(word?.means ?? '') ? 'which you named before' : 'shown before'}`
      : kind === 'adds'
        ? `; it goes on with “${before}”`
        : kind === 'again' || kind === 'corrected' || kind === 'read'
          ? `; read as “${text}”${kind === 'again' ? ', like the message before' : ''}`
          : `; read as “${text}”. It takes the place of ${[...also, before].map((one) => `“${one}”`).join(' and ')}, which ${also.length > 0 ? 'are' : 'is'} withdrawn`;
  // A part that changes nothing in the answer is not taken.
  const isLost = part !== undefined && JSON.stringify(guided.input) === JSON.stringify(alone(before).input);
  const lost = isLost && !guided.understood.includes(part) ? `. Not taken: “${part}”` : '';
  const after = toolOf(alone(before).operation ?? '');
  const isMore = kind === 'adds' && after !== undefined && isChange(after);
  const changed = kind === 'corrects' || isMore ? { ...guided, ...withdrawn(also, alone) } : guided;
  return noted(changed, `${lost}${told}${note === undefined ? '' : `. ${note}`}${stays}`);
}

const OBJECT =
  /\b(?:give|assign|reassign|move|hand|transfer|pass|swap|change|put|delete|remove|disable|enable|rename)\s+(?<it>it|them|that\s+one|this\s+one)\b/iu;

/** Tells that "it" names no record, for an order that lacks the record which it changes. */
function unnamedIn(text: string, guided: GuidedAnswer, toolOf: (id: string) => Tool | undefined): string {
  const it = OBJECT.exec(text)?.groups?.it;
  const tool = toolOf(guided.operation ?? '');
  const { find, each, input, understood } = guided;
  if (it === undefined || !tool || !isChange(tool) || guided.kind === 'help' || find || each) return '';
  const [target] = fieldsOf(tool).filter(({ required }) => required);
  if (!target || input[target.name] !== undefined || understood.includes(`“${it}”`)) return '';
  return `. Which record “${it}” is was not said: choose it in the form, or write its number or its name`;
}

/** The flags of an answer whose message takes back the last offer, and those of earlier orders. */
function withdrawn(
  also: readonly string[],
  answered: (text: string) => GuidedAnswer,
): Pick<GuidedAnswer, 'withdraws' | 'withdrawsAlso'> {
  const operations = also.flatMap((one) => answered(one).operation ?? []);
  return { withdraws: true, ...(operations.length > 0 && { withdrawsAlso: operations }) };
}

function takenBack(orders: readonly string[]): string {
  const all = orders.map((one) => `“${one}”`).join(' and ');
  return orders.length > 1
    ? `${all} are taken back: their offers are withdrawn, and by themselves they did nothing`
    : `${all} is taken back: its offer is withdrawn, and by itself it did nothing`;
}

/** The answer about a change is all that is drawn, so it has the note too. */
function withNote(guided: GuidedAnswer, note: string | undefined): GuidedAnswer {
  const { about } = guided;
  return about && note !== undefined ? { ...guided, about: { ...about, text: `${note}. ${about.text}` } } : guided;
}

/** True for an answer that changes nothing: a read, or the form of one. */
function showsOnly({ kind, operation = '' }: GuidedAnswer, toolOf: (id: string) => Tool | undefined): boolean {
  const tool = toolOf(operation);
  return kind === 'lookup' || kind === 'events' || (kind === 'form' && tool !== undefined && !isChange(tool));
}

/** True for the answer to a text in which nothing was understood. */
function isNothing({ kind, operation, understood, about, isUnread }: GuidedAnswer, text: string): boolean {
  return (
    kind === 'help' &&
    operation === undefined &&
    about === undefined &&
    (understood === '' ? CHANGES.test(text) : isUnread === true)
  );
}

/** A question, or a wish to see something: it changes nothing in an order. */
const ASKS =
  /\?\s*$|^\W*(?:(?:and|so|but|ok|okay|then|well|no|wait|hm+|please|pls)[\s,]+)*(?:what|whats|which|who|whose|when|where|why|how|is|are|was|were|does|do\s+(?:we|i|you|they)|did|has|have|will|would|show|list|tell\s+me|let\s+me\s+see|see)\b/i;

/** Begins a message that changes something of the order before. */
const CHANGES =
  /^\W*(?:no|nope|nah|sorry|wait|actually|oops|rather|but|and|also|make|change|instead|not|without|with|i\s+meant?)\b(?!\s+(?:thanks?|thank|problem|worries)\b)/i;

function noted(guided: GuidedAnswer, told: string): GuidedAnswer {
  if (told === '') return guided;
  const understood =
    guided.understood === '' ? told.replace(/^[;.]\s*/, '') : `${guided.understood.replace(/\.$/, '')}${told}`;
  return { ...guided, understood: `${understood}.`, remarks: `${guided.remarks ?? ''}${told}` };
}

const PORT_IN = 'numbers_portin';
const CANCELS_PORT = 'numbers_portin_cancel';

/** Says what to write if "cancel it" meant another thing. */
function instead({ operation, input, find }: GuidedAnswer, before: string, isCancel: true | undefined): string {
  if (operation === PORT_IN) return '. A port-in whose form was sent already is cancelled with the button below';
  const [number] = phonesIn(JSON.stringify(input));
  const line = number ?? Object.values(find?.input ?? {})[0];
  if (isCancel === undefined || !OF_LINES.test(operation ?? '') || line === undefined || /\bcancel/i.test(before))
    return '';
  return `. To cancel the line, write “cancel ${String(line)}”`;
}

/** Changes of one line. */
const OF_LINES = /^numbers_(?!provision|cancel|portin)/;

/** The cancelling of a port-in order that may be sent already. */
function ordered({ operation, input }: GuidedAnswer): Pick<GuidedAnswer, 'nearest'> {
  const number = input.PortInNumber;
  return operation === PORT_IN && number !== undefined
    ? { nearest: [{ operation: CANCELS_PORT, input: { OrderId: number } }] }
    : {};
}

/** The values that an offer still needs. Undefined if it is none. */
function missingFrom(
  { operation = '', input, find }: GuidedAnswer,
  before: string,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer | undefined {
  const tool = toolOf(operation);
  if (!tool || !isChange(tool)) return undefined;
  const fields = fieldsOf(tool).filter(({ required, name }) => required && input[name] === undefined);
  // A search finds the line that is named.
  const missing = fields.filter((field) => find === undefined || !takesNumbers(field)).map(({ label }) => label);
  const needs = missing.length === 0 ? 'Nothing is missing' : `Still needed: ${missing.join(', ')}`;
  return { ...help(`${needs}, in “${before}”. What was offered is as it was`), operation };
}

/** The cost of a change in an earlier message. Undefined if that message asked for none. */
function costOf(
  { operation = '', input, guide, each }: GuidedAnswer,
  toolOf: (id: string) => Tool | undefined,
  asked: 'cost' | 'about',
): GuidedAnswer | undefined {
  const own = toolOf(operation);
  if (!own || !isChange(own)) return undefined;
  const rule = ruleIn(own, { given: input, guide });
  const tool = toolOf(rule.operation) ?? own;
  const [cost, title] = [statedCost(tool, { ...rule.given, ...input }), rule.title];
  const why =
    asked === 'about'
      ? `You asked about "${title}"`
      : cost === undefined
        ? `"${title}" has no cost of its own that is documented. Its confirmation says what it does`
        : `"${title}" costs: ${cost}`;
  const about = aboutOf(rule, tool, toolOf);
  const all = each?.set === undefined ? (each?.texts.length ?? 1) : 1;
  const sum = forAll(cost, all);
  const text = sum === undefined ? about.text : `${sum}. ${about.text}`;
  return {
    ...help(`${why}${sum === undefined ? '' : `. ${sum}`}. Nothing was done yet`),
    operation,
    about: { ...about, text },
  };
}

/** The price of a change of several records: "10 USD for these 2". Undefined for one, or without a price. */
function forAll(cost: string | undefined, count: number): string | undefined {
  const { amount, unit } = /^(?<amount>\d+(?:\.\d+)?)\s+(?<unit>[A-Z]{3})\b/.exec(cost ?? '')?.groups ?? {};
  if (count < 2 || amount === undefined) return undefined;
  return `${Number((Number(amount) * count).toFixed(2))} ${unit} for these ${count}, ${amount} ${unit} each`;
}

/** The change that the answer before tells about. */
function toldOf({ about, asksOf = about }: GuidedAnswer): GuidedAnswer | undefined {
  return asksOf && { ...help(`You asked about "${asksOf.title}". Nothing was done yet`), about: asksOf };
}

/** The cost in the question about a change. Values that are not known yet are those of its example. */
function statedCost(tool: Tool, input: Fields): string | undefined {
  try {
    return tool.consent?.({ ...tool.examples[0], ...input }, {}, '').cost;
  } catch {
    return undefined;
  }
}
