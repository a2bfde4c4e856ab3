import { fieldsOf, soleMember } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { wordsOf } from '../../../language/sentence.ts';
import { defined, type Fields } from '../../../lib/json.ts';
import { type GuidedAnswer, understood } from './answer.ts';
import { takesNumbers } from './fill.ts';

/* Messages with several orders: each part is read alone, and has a button. */

const JOINT =
  /(?:\s*[,;.!]+\s+(?:(?:and|then|also|plus|after\s+that)\s+)*|\s+(?:and\s+then|and\s+also|and|then|plus)\s+)/giu;
const POLITE = /^(?:(?:please|pls|plz|also|then|now|can|could|you|u|just)\s+)+/iu;
/** Stands for the line of the part before it. */
const IT = /\b(?:it|that\s+(?:line|number)|the\s+(?:line|number)|this\s+(?:line|number))\b/iu;
const TO_THEM = /^(?<deed>(?:text|message|tell|sms)\s+)(?:her|him|them)\b/iu;
const TEXTS = /^(?:text|message|tell|sms|send|write|let|notify)\b/iu;
/** The number of the part before it is one of a list. */
const LISTS = /\b(?:un)?(?:block|ban|bar)\w*|\b(?:allow|whitelist|blacklist)\w*/iu;
const LINE = /(?<![\d-])[#…*]*\d{4}(?![\w-])|(?<!\d)\+?1?[\s.-]?\(?[2-9]\d{2}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d)/gu;

/** Asks, speaks against something, takes it back, or makes it depend on something else. */
const NO_ORDERS =
  /^\W*(?:(?:so|and|hi|hey|ok|okay|please|pls)[\s,]+)*(?:how|why|what|who|when|where|which|is|are|was|were|should|shall|would|do|does|did|if|unless|may|(?:can|could)\s+(?:i|we))\b|\b(?:if|unless|once|not|never|dont|without|sorry|wrong|oops|or|otherwise|else|nevermind|never\s?mind|forget|scratch)\b|n['’]t\b|(?<!\b(?:can|could|would|will)\s+(?:you|u)\b.*)\?\s*$/isu;

/** "… and get her a new one instead": both orders are meant. In another place the word replaces something. */
const INSTEAD_AT_END = /[\s,]+instead(?=[\s.!?]*$)/iu;

/** The parts of a message that each begin with a deed, with the line that "it" stands for. */
export function partsOf(typed: string): string[] {
  const said = typed.replace(INSTEAD_AT_END, '');
  if (NO_ORDERS.test(said) || /\binstead\b/iu.test(said)) return [];
  const { who, order } = withoutHead(said.trim().replace(/[?\s]+$/u, ''));
  const pieces = order.split(JOINT).filter(Boolean);
  const joints = [...order.matchAll(JOINT)].map(([joint]) => joint);
  const parts: string[] = [];
  for (const [at, piece] of pieces.entries()) {
    if (parts.length === 0 || begins(piece)) parts.push(piece.replace(POLITE, ''));
    else parts.push(`${parts.pop() ?? ''}${joints[at - 1] ?? ' '}${piece}`);
  }
  if (who !== undefined) return parts.map((part) => ofCustomer(part.trim(), who));
  const head = HEAD.exec(parts[0] ?? '')?.groups?.name;
  const name = head !== undefined && wordsOf(head).every(({ isUnknown }) => isUnknown) ? head : undefined;
  return parts.map((one, at) => {
    const part = at === 0 || name === undefined ? one : ofNamed(one, name);
    const before = parts.slice(0, at).join(' ').match(LINE) ?? [];
    // Nobody is told that their own number is blocked.
    const isListed = LISTS.test(parts.slice(0, at).join(' ')) && TO_THEM.test(part);
    const [line] = new Set(before).size === 1 && !part.match(LINE) && !isListed ? before : [];
    if (line === undefined) return part.trim();
    const to = part.trim().replace(TO_THEM, `$<deed>${line.trim()}`);
    // The text of a message stays as it is.
    return TEXTS.test(to) ? to : to.replace(IT, line.trim());
  });
}

/** "Customer Ben: pause the line and change the name to …": the name at the head is that of each part. */
const HEAD =
  /^\W*(?:(?:the\s+)?(?:customer|cust|client|subscriber|for)\s+)?(?<name>\p{L}[\p{L}'’-]+(?:\s+\p{L}[\p{L}'’-]+)?)\s*:\s+\S/iu;
const OWN =
  /\b(?:(?:his|her|their|the)\s+)?(?<what>name|line|number|sim|plan|limit|caller\s+(?:name|id)|e-?mail|voice|texts|calls|data)\b/iu;

function ofNamed(part: string, name: string): string {
  return LINE_ONCE.test(part) ? part : part.replace(OWN, `${name}'s $<what>`);
}

const HEADING =
  /^\W*(?:(?:hi|hey|ok|please|pls|i\s+need|we\s+need|need)[\s,]+)*(?:two|three|four|2|3|4|a\s+few|a\s+couple\s+of|several)\s+(?:things|changes|orders|requests|jobs|tasks)\s+(?:for|on|with)\s+(?<who>\p{L}[\p{L}-]+(?:\s+\p{L}[\p{L}-]+)?|[#…*]*\d{4})\s*[:,;–—-]+\s*/iu;
const HIS = /\b(?:his|her|their)\b/iu;

/** "Two things for ava: …": the customer of each part. */
function withoutHead(order: string): { who?: string; order: string } {
  const who = HEADING.exec(order)?.groups?.who;
  return who === undefined ? { order } : { who, order: order.replace(HEADING, '') };
}

function ofCustomer(part: string, who: string): string {
  return HIS.test(part) && !/^[#…*\d]/u.test(who) ? part.replace(HIS, `${who}'s`) : `${part} for ${who}`;
}

/** True for a part that begins with a deed. */
export function begins(piece: string): boolean {
  const [first] = wordsOf(piece.replace(POLITE, ''));
  if (/^(?:text|message|tell|sms|hold|put|give|swap|turn|set|move)\b/iu.test(piece.replace(POLITE, ''))) return true;
  return first !== undefined && !first.isPast && first.acts.length > 0;
}

const LINE_ONCE = new RegExp(LINE.source, 'u');

/** The orders of a message, each with its button. */
interface Orders {
  /** The names of the changes; undefined if a part is none. */
  titles: string[] | undefined;
  told: string;
  buttons: Button[];
  /** The answer to all parts, where each has other values of the same change: "warn at 1 gb, stop at 2 gb". */
  joint?: GuidedAnswer;
}

/**
 * Each part of a message with several orders, read alone. Undefined if none of them is a change that can be offered.
 *
 * @param alone the answer to a text on its own
 */
export function ordersIn(
  said: string,
  alone: (text: string) => GuidedAnswer,
  toolOf: (id: string) => Tool | undefined,
): Orders | undefined {
  const parts = partsOf(said);
  if (parts.length < 2 || parts.length > MOST_PARTS) return undefined;
  const read = parts.map((part) => {
    const answered = alone(part);
    const tool = toolOf(answered.operation ?? '');
    return { part, tool, answered, button: buttonOf(part, answered, tool) };
  });
  const offered = read.filter(({ button }) => button !== undefined);
  const buttons = offered.flatMap(({ button }) => button ?? []);
  if (buttons.length === 0) return undefined;
  const joint =
    buttons.length === parts.length
      ? jointOf(
          read.map(({ answered }) => answered),
          toolOf,
        )
      : undefined;
  const told = `, or use a button: ${offered.map(({ part }) => `“${part}”`).join(', ')}`;
  if (buttons.length < parts.length) return { titles: undefined, told, buttons, ...defined({ joint }) };
  const titles = read.flatMap(({ tool, answered, part }) => (tool ? [titleOf(tool, answered, part)] : []));
  return { titles, told, buttons, ...defined({ joint }) };
}

/** One answer with the values of all, if they are values of one change for one record. Undefined for others. */
function jointOf(answers: readonly GuidedAnswer[], toolOf: (id: string) => Tool | undefined): GuidedAnswer | undefined {
  const [first, ...others] = answers;
  const tool = toolOf(first?.operation ?? '');
  const isOne = others.every(({ operation, find }) => operation === tool?.id && find === undefined);
  const names = answers.flatMap(({ input }) => Object.keys(input));
  if (!first || !tool || !isOne || others.length === 0 || new Set(names).size < names.length) return undefined;
  const input = Object.assign({}, ...answers.map((one) => one.input)) as Fields;
  const remarks = first.remarks ?? '';
  return { ...first, input, understood: `${understood(tool, input, first.find)}${remarks}.` };
}

const MOST_PARTS = 4;

/** The button of one part. Undefined for a part that is no change that can be offered. */
export function buttonOf(part: string, answer: GuidedAnswer, tool: Tool | undefined): Button | undefined {
  const isOffer = answer.kind === 'form' || answer.kind === 'question';
  if (!isOffer || !tool || answer.each || answer.isUnclear) return undefined;
  const [query] = Object.values(answer.find?.input ?? {});
  const found = typeof query === 'string' ? withLine(tool, answer.input, query) : answer.input;
  const title = titleOf(tool, answer, part);
  // A SIM is swapped by the change of the line's status, whose form asks for the new SIM.
  if (answer.guide === 'swap_sim') {
    const line = String(query ?? found.PhoneNumber ?? found.Number ?? '');
    const [ICCID] = part.match(/(?<!\d)\d{18,22}(?!\d)/u) ?? [];
    const PhoneNumbers = [{ Number: line, ...defined({ ICCID }) }];
    const input = { StatusChange: 'swap-sim', PhoneNumbers };
    return line === '' ? undefined : { operation: 'numbers_status', label: labelOf(title, part), input };
  }
  return { operation: tool.id, label: labelOf(title, part), input: found };
}

/** The input with last digits or a name in the field for a number, where the form finds what they mean. */
function withLine(tool: Tool, input: Fields, line: string): Fields {
  const places = fieldsOf(tool).filter(takesNumbers);
  const field = places.find(({ required }) => required) ?? places[0];
  if (!field || input[field.name] !== undefined) return input;
  const row = field.kind === 'rows' ? { [soleMember(field)?.name ?? 'Number']: line } : line;
  return { ...input, [field.name]: field.kind === 'phone' ? line : [row] };
}

type Button = NonNullable<GuidedAnswer['nearest']>[number];

/** "Put on hold: 0101" */
function labelOf(title: string, part: string): string {
  const lines = part.match(LINE) ?? [];
  return lines.length === 0 ? title : `${title}: ${lines.map((line) => line.trim()).join(', ')}`.slice(0, 70);
}

const GIVES = /^(?:give|assign|hand|bind|transfer)\b/iu;
const STATUS: Readonly<Record<string, string>> = {
  park: 'Put on hold',
  activate: 'Activate',
  'swap-sim': 'Swap a SIM',
};

/** The name of a change in people's words. */
export function titleOf(
  tool: Tool,
  { input, guide }: { input: Fields; guide?: string | undefined },
  part = '',
): string {
  if (guide === 'swap_sim') return 'Swap a SIM';
  if (tool.id === 'numbers_status') return STATUS[String(input.StatusChange)] ?? tool.title;
  if (tool.id === 'numbers_update' && (input.AssignedSubscriberId !== undefined || GIVES.test(part)))
    return 'Give a line to a customer';
  if (tool.id === 'numbers_update' && 'CnamFirstName' in input) return 'Change the caller name';
  return tool.title;
}
