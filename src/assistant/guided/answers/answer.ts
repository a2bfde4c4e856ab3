import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { AskedValue } from '../../../language/asked-values.ts';
import type { LineFact } from '../../../language/line-facts.ts';
import type { Narrow } from '../../../language/narrow.ts';
import type { Role } from '../../../lib/actor.ts';
import type { Fields } from '../../../lib/json.ts';
import { holdsFor } from '../facts/doubt.ts';
import type { Facts } from '../facts/facts.ts';
import type { Time } from '../facts/times.ts';
import { forwardText, isOtherDay, takesVolume, VOLUME_FIELDS } from './fill.ts';
import { type Added, toldToAdd } from './more.ts';
import type { RowChange } from './present-rows.ts';
import type { About } from './rules.ts';

/** A search for the lines of a change, and those that it leaves out, by their digits or names. */
export interface FoundBy {
  operation: string;
  input: Fields;
  except?: readonly string[];
}

/**
 * The answer of the catalogue to plain words. Nothing was performed: the surface performs a `lookup` and `events`, which
 * are reads, draws the form, or asks the question.
 */
export interface GuidedAnswer {
  /**
   * - `lookup`: a read with a complete input, or one whose number `find` looks for.
   * - `form`: an operation with the values that the words give.
   * - `question`: a gated operation with a complete input. Performing it asks a person.
   * - `events`: the read of events since a time.
   * - `help`: nothing fits, or the words only ask about an operation.
   */
  kind: 'lookup' | 'form' | 'question' | 'events' | 'help';
  /** Undefined for general help. */
  operation: string | undefined;
  input: Fields;
  /** One sentence that says how the words were read. */
  understood: string;
  /** A read that finds the number of a person whom the words name. */
  find?: { operation: string; input: Fields };
  /** The guide that leads through the change, where surfaces have one. */
  guide?: string;
  /** Values for the guide alone, which the operation does not take. */
  guideInput?: Fields;
  /** The words, without the values, that `remarks` tell as not taken. */
  wordsLeft?: readonly string[];
  /** True for a form in which nothing is missing, so that a terminal can ask at once. */
  isReady?: true;
  /** The first sentence of `understood`, about a change that was not done. It is shown above the record. */
  lead?: string;
  /** The end of `understood`: the parts of the sentence that are not taken, and remarks for the person. */
  remarks?: string;
  /** True if the sentence names a day on which the operation cannot be done. It is then not asked at once. */
  isLater?: true;
  /** True if nothing here does what is asked. The card of its line then has no button of a change. */
  isOutside?: true;
  /** True if the sentence itself says not to do it, so that nothing in it is taken. */
  isRefused?: true;
  /** True if it takes the last offer of its thread back, or its place. */
  withdraws?: true;
  /** The operations of earlier offers of the thread that it takes back with the last one. */
  withdrawsAlso?: readonly string[];
  /** The operation of an earlier order that the message takes back. A request for it may wait already. */
  takesBack?: string;
  /** The operation of an order whose state the message asks for: "did Lee approve it". A surface knows what waits. */
  stateOf?: string;
  /** True if none of its numbers is filled in, which `understood` says. */
  isUnclear?: true;
  /** Further answers to the same message, such as the block of texts beside that of calls. Each is shown after this one. */
  also?: readonly GuidedAnswer[];
  /**
   * The lines or customers that get one call each, and the field that takes one of them. `set`: the search that finds
   * them, in place of `texts`.
   */
  each?: { field: string; texts: readonly string[]; set?: FoundBy };
  /** The only person in a sentence that names a number: its holder, unless the surface finds another one. */
  beside?: string;
  /** The numbers of which a read of filters says whether they are blocked. */
  asks?: readonly string[];
  /** True for a change that is only offered if the record's state leaves something to do. */
  isChecked?: true;
  /** A change in words, for a question about what it does, costs or takes. */
  about?: About;
  /** The change that a question asks about, where its record is shown and its price is not. */
  asksOf?: About;
  /** Entries that are added to a list of the record, or taken off it. The surface reads the present list. */
  rows?: RowChange;
  /** Values of the member of a workgroup that is meant, the likeliest first. The surface reads the present members. */
  members?: readonly Fields[];
  /** An amount in MB that is added to the present value of a field, which the surface reads. */
  adds?: Added;
  /**
   * True for a search by words that may name nothing, because others of the sentence were not understood. That it finds
   * nothing is no answer.
   */
  isGuess?: true;
  /** True for a record that is shown in place of a change: it has no primary button. */
  isInstead?: true;
  /** True if nothing of the text was understood, so that the person needs examples of what can be written. */
  isUnread?: true;
  /** Words that are put on the list of a filter and taken off it. The surface reads those that stay. */
  words?: { adds: readonly string[]; removes: readonly string[] };
  /** True if its list of numbers that get a notice goes to those of the filter, which the surface reads. */
  addsNotices?: true;
  /** True for a block of numbers that the customer reaches, and not of those that reach the customer. */
  isOutgoing?: true;
  /** True for a read of filters that is asked for the words which they flag. */
  asksWords?: true;
  /** A level that is so many steps softer than the present one, which the surface reads. */
  softer?: 1 | -1;
  /** True for a search that stays a list if it finds one record. */
  isList?: true;
  /** The facts that the question asks of the only line that is found. The surface says them first. */
  facts?: readonly LineFact[];
  /** The fields of a record that the question asks for. A surface says their values first. */
  values?: readonly AskedValue[];
  /** The entries that the question narrows a list to. A surface that leaves the others out says how many are left. */
  narrow?: Narrow;
  /**
   * The operation that is meant if the name is one of an account, or of another kind of record. A surface decides it.
   */
  orAccount?: {
    name: string;
    /** As in `recordKinds`; an account if left out. */
    noun?: string;
    kind?: GuidedAnswer['kind'];
    remarks?: string;
    operation: string;
    input: Fields;
    understood: string;
    values?: readonly AskedValue[];
    members?: readonly Fields[];
    /** A second list of the account, where the words mean both. */
    further?: { operation: string; input: Fields; understood: string };
  };
  /** The roles whose people it is about. A surface names them, as far as it knows. */
  holders?: readonly Role[];
  /** True for events of the writer alone. The surface fills in who that is. */
  isOwn?: true;
  /** True if the contact of its list is the sender of the messages that were shown before. */
  isOfSender?: true;
  /**
   * Amounts of data without a unit, and the remark that asks for it. `isShown`: they have the unit of the limit that was
   * shown before, which a surface reads.
   */
  unitless?: { amounts: readonly { field: string; value: number }[]; told: string; isShown?: true };
  /** The change that is meant instead, where the state of the record leaves nothing to do. Its number is that of `input`. */
  orElse?: { operation: string; input: Fields };
  /** Operations that may be meant where the words were not understood, filled in as far as the words say. */
  nearest?: readonly { operation: string; input: Fields; label?: string }[];
}

export function answer(
  kind: GuidedAnswer['kind'],
  { tool, input, understood: text }: { tool: Tool; input: Fields; understood: string },
  find?: { tool: Tool; input: Fields },
): GuidedAnswer {
  const whole = { kind, operation: tool.id, input, understood: `${text}.` };
  return find ? { ...whole, find: { operation: find.tool.id, input: find.input } } : whole;
}

/** Fields of names that are made with the change. Their spelling is the writer's: "Dana White" is no slip of "write". */
const NEW_NAMES = ['Name', 'CnamFirstName', 'CnamLastName'];

/** The answer with new names as they were typed. */
export function asNamed(guided: GuidedAnswer, typed: (part: string) => string): GuidedAnswer {
  const { input } = guided;
  const named = NEW_NAMES.filter((name) => typeof input[name] === 'string').map((name) => [
    name,
    typed(String(input[name])),
  ]);
  return named.length === 0 ? guided : { ...guided, input: { ...input, ...Object.fromEntries(named) } };
}

/** Several changes in one message: none is started, because the order may matter. */
export function several(titles: readonly string[]): string {
  return `You asked for several changes (${[...new Set(titles)].join('; ')}). Send them one by one`;
}

export function help(why: string | undefined): GuidedAnswer {
  return { kind: 'help', operation: undefined, input: {}, understood: why === undefined ? '' : `${why}.` };
}

/** The answer to a sentence that says not to do it. */
export function refusal(guided: GuidedAnswer): GuidedAnswer {
  return { ...guided, isRefused: true };
}

export function missingOf(tool: Tool, input: Fields): Field | undefined {
  return fieldsOf(tool).find((field) => field.required && input[field.name] === undefined);
}

/** Names the operation and the values that are missing. */
export function understood(tool: Tool, input: Fields, find?: { input: Fields }): string {
  const fields = fieldsOf(tool);
  const missing = fields.filter((field) => field.required && input[field.name] === undefined).map(({ label }) => label);
  const isMissing = missing.length > 0 && tool.risk !== 'read';
  const who = find ? `; ${found(find.input).replace(/^F/, 'f')} first` : '';
  return `${tool.title}${isMissing ? `; still needed: ${missing.join(', ')}` : ''}${who}`;
}

export function found(input: Fields): string {
  return `Find numbers by "${String(Object.values(input)[0])}"`;
}

/* Remarks on the parts of a sentence that an operation has no field for. */

/** The remarks of a sentence about its change: the times beside it, and the names in it. */
interface Said {
  facts: Facts;
  /** The times that are about the change. */
  times: readonly Time[];
}

/** A time that is still to come, for an operation that takes effect at once. Empty if there is none. */
export function laterText(tool: Tool, { times }: Pick<Said, 'times'>, now: number): string {
  if (takesDay(tool)) return '';
  const today = new Date(now).toISOString().slice(0, 10);
  const later = times.find(({ kind, day }) => kind === 'later' || (day && !day.isEnd && day.iso > today));
  if (later === undefined) return '';
  return `; it takes effect at once and cannot be scheduled for ${later.day?.iso ?? quoted(later.text)}`;
}

/** Remarks for the person about the parts of the sentence. Empty if there are none. */
export function remarksOn(tool: Tool, said: Said): string {
  return `${takesVolume(tool) ? moreText(said.facts) : ''}${endsText(tool, said)}${mailText(tool, said.facts)}${forwardText(tool, said.facts)}${leftOutText(said.facts)}`;
}

/** The part that the sentence itself excludes. */
function leftOutText({ leftOut }: Facts): string {
  return leftOut.length === 0 ? '' : `; left out, as you say: ${leftOut.map(quoted).join(', ')}`;
}

/** An address of e-mail for a record whose address stays: no operation takes a new one. */
function mailText({ id }: Tool, { email, rest }: Facts): string {
  const whose = { subscribers_update: 'a subscriber', account_update: 'an account’s admin' }[id];
  const isMail = whose !== undefined && (email !== undefined || /\be-?mail\b/i.test(rest));
  return isMail ? `; the platform cannot change the e-mail address of ${whose}: it stays as it is` : '';
}

/** An amount that a sentence adds to a limit. Limits are set as a whole. */
function moreText({ volumes }: Facts): string {
  const unitless = volumes.flatMap((volume) => volume.unitless ?? []);
  if (unitless.length > 0)
    return `; say MB or GB: ${unitless.join(' and ')} ${unitless.length > 1 ? 'have' : 'has'} no unit`;
  const unread = volumes.find(({ isUnclear, mb, text }) => isUnclear && mb === 0 && /\d\s*[gm]/i.test(text));
  if (unread !== undefined) return `; ${quoted(unread.text)} is no clear amount: write it like 1500 MB or 1.5 GB`;
  if (volumes.some(({ isUnclear }) => isUnclear)) return '; a limit is set as a whole: give the new value';
  const more = volumes.find(({ isMore }) => isMore);
  return more ? `; ${toldToAdd({ amount: more.mb })}` : '';
}

/** A time up to which something holds, which no operation takes. The person has to end it. */
function endsText(tool: Tool, { times }: Said): string {
  const end = times.find(({ day }) => day?.isEnd)?.day;
  if (end) return `; it does not end by itself on ${end.iso}: ask for that too`;
  const span = holdsFor(tool) ? times.find(({ kind }) => kind === 'end') : undefined;
  const begins = span && takesDay(tool) && isOtherDay(span) ? '; the day on which it begins is chosen in the form' : '';
  return span ? `${begins}; it does not end by itself (${quoted(span.text)}): ask for that too` : '';
}

/** The amounts of a sentence without a unit. Undefined if it has none. */
export function unitlessIn(tool: Tool, facts: Facts): GuidedAnswer['unitless'] {
  const amounts = facts.volumes.flatMap(({ part, unitless }) =>
    unitless === undefined ? [] : [{ field: VOLUME_FIELDS[part], value: Number(unitless) }],
  );
  return takesVolume(tool) && amounts.length > 0 ? { amounts, told: moreText(facts) } : undefined;
}

function takesDay(tool: Tool): boolean {
  return fieldsOf(tool).some(({ kind }) => kind === 'date' || kind === 'us-date');
}

function quoted(text: string): string {
  return `“${text}”`;
}

/** The flags that are set. */
export function flagged(flags: Record<'isReady', boolean> & Partial<Record<'isLater', boolean>>): {
  isReady?: true;
  isLater?: true;
} {
  return { ...(flags.isReady && { isReady: true }), ...(flags.isLater && { isLater: true }) };
}
