import { hasData, isCancelled, megabytes, reactivatedWhen, usedText } from '../../tools/shared/line.ts';
import type { LineFact } from '../language/line-facts.ts';
import { choiceText } from '../language/member-words.ts';
import type { UsedRecord } from '../language/records.ts';
import { clean } from '../language/show.ts';
import { type Fields, isRecord, recordOf, scalarText, textOf } from '../lib/json.ts';
import { dayText } from '../platform/dialect/dates.ts';
import { readFlag } from '../platform/dialect/readings.ts';

/*
 * The facts of a line that a question asks for, each as a line of text. They are those of its record alone. A fact that
 * the record does not have is named as missing.
 */

/** The answer of a lookup, the names of the records that it uses, and the time of the answer in epoch ms. */
export interface FactSource {
  value: Fields;
  uses: readonly UsedRecord[];
  now: number;
}

/** The facts in words, in the order in which they are asked for. Empty for the answer about a port-in. */
export function factLines(facts: readonly LineFact[], source: FactSource): string[] {
  if (!isRecord(source.value.Number)) return [];
  return facts.map((fact) => SAYS[fact](source));
}

type Says = (source: FactSource) => string;

const PENDING = /^cancelled - pending delete$/i;
const GONE = /^cancel/i;

function stateIn({ value }: FactSource): string {
  return textOf(recordOf(value.Number).Status);
}

/** "It is active", "it is cancelled, and can still be brought back". */
function stateWords(source: FactSource): string {
  const state = stateIn(source);
  if (PENDING.test(state)) return 'it is cancelled, and can still be brought back';
  if (GONE.test(state)) return 'it is cancelled and released, and cannot be brought back';
  if (/^parked$/i.test(state)) return 'it is on hold (parked)';
  return state === '' ? 'its state is not in its record' : `it is ${clean(state).toLowerCase()}`;
}

/** "Yes: …" or "No: …" for a question whether the line is in a state. */
function whether(isState: RegExp): Says {
  return (source) =>
    `${stateIn(source) === '' ? 'Not known' : isState.test(stateIn(source)) ? 'Yes' : 'No'}: ${stateWords(source)}`;
}

function used(source: FactSource, noun: RegExp): string | undefined {
  const found = source.uses.find((one) => noun.test(one.noun) && one.id !== '');
  return found && clean(found.name);
}

const own = (label: string, text: string | undefined): string =>
  text === undefined || text === '' ? `${label}: none in its record` : `${label}: ${clean(text)}`;

function data({ value }: FactSource): { limit?: string; left?: string; used?: string } {
  const usage = recordOf(value.DataUsage);
  const [amount, rest] = [megabytes(usage.Used), megabytes(usage.Remaining)];
  const shown = (mb: number) => `${Number(mb.toFixed(2))} MB`;
  const text = usedText(usage);
  return {
    ...(text === undefined ? {} : { used: text.replace(/ used$/, '') }),
    ...(rest === undefined ? {} : { left: shown(rest) }),
    ...(rest === undefined || amount === undefined ? {} : { limit: shown(amount + rest) }),
  };
}

/** A value of the data of a line. A line without data and a cancelled one have no limit that counts. */
function ofData(label: string, name: keyof ReturnType<typeof data>): Says {
  return (source) => {
    const number = recordOf(source.value.Number);
    if (isCancelled(number)) return `${label}: ${stateWords(source)}`;
    return hasData(number) ? own(label, data(source)[name]) : `${label}: no data on this line`;
  };
}

/** The kind of the line, and what its product includes. */
function kindWords({ value }: FactSource): string {
  const { Classification, NumberType, ProductType } = recordOf(value.Number);
  const own = textOf(Classification) || textOf(NumberType);
  const kind = choiceText('NumberType', own) ?? own;
  return [kind, textOf(ProductType)].filter((part) => part !== '').join(', ');
}

/** A line that has a SIM says its number. The record does not say whether it is an eSIM. */
function simWords({ value }: FactSource): string {
  const serial = textOf(recordOf(value.Number).Iccid);
  return serial === ''
    ? 'none in its record'
    : `${serial}. Whether it is an eSIM or a plastic one is not in its record`;
}

/** "Yes: texts are on" for a service of the line. A line that is not in service says so besides. */
function service(noun: string, member: string): Says {
  return (source) => {
    const flag = readFlag(recordOf(source.value.Number)[member]);
    const state = /^active$/i.test(stateIn(source)) ? '' : `; ${stateWords(source)}`;
    if (flag === undefined) return `Whether ${noun} are on is not in its record${state}`;
    return `${flag ? 'Yes' : 'No'}: ${noun} are ${flag ? 'on' : 'off'} for this line${state}`;
  };
}

/** The data used, the limit and the rest, in one line. */
const nearLimit: Says = (source) => {
  const number = recordOf(source.value.Number);
  const { used, left } = data(source);
  if (isCancelled(number) || !hasData(number) || used === undefined) return ofData('Data used', 'used')(source);
  return `Data used: ${used}${left === undefined ? '' : `; ${left} left`}`;
};

/** The changes of the line that wait for a person. */
const waiting: Says = ({ value }) => {
  const rows = Array.isArray(value.Waiting) ? value.Waiting.filter(isRecord) : [];
  if (rows.length === 0) return 'Nothing waits for a decision on this line';
  return rows.length === 1 ? 'A change of it waits for a decision' : `${rows.length} changes of it wait for a decision`;
};

/** The number of swaps that are left, and the day on which it is reset. */
function swapsLeft({ value }: FactSource): string {
  const { SwapsRemaining, NextSwapResetDate } = recordOf(value.Number);
  const until = dayText(textOf(NextSwapResetDate));
  return `${scalarText(SwapsRemaining)}${scalarText(SwapsRemaining) === '' || until === '' ? '' : ` until ${until}`}`;
}

const SAYS: Readonly<Record<LineFact, Says>> = {
  state: (source) => `State: ${stateWords(source)}`,
  active: whether(/^active$/i),
  parked: whether(/^parked$/i),
  cancelled: whether(GONE),
  until: (source) => {
    const { value, now } = source;
    if (!PENDING.test(stateIn(source))) return `Nothing is about to be deleted: ${stateWords(source)}`;
    const until = textOf(value.ReactivateUntil) || undefined;
    const when = reactivatedWhen(until, new Date(now));
    return until === undefined
      ? `It can be brought back ${when}. The day of that is not known here, because it was not cancelled here`
      : `It can be brought back ${when}, and is deleted after that`;
  },
  holder: ({ value }) => own('Holder', textOf(recordOf(value.Subscriber).Name)),
  email: ({ value }) => own('Email', textOf(recordOf(value.Subscriber).Email)),
  caller: ({ value }) => own('Caller name', textOf(recordOf(value.Number).Cnam)),
  account: (source) => own('Account', used(source, /account/i)),
  calls: (source) => own('Calls go over the voice route', used(source, /voice|call/i)),
  texts: (source) => own('Texts go over the message route', used(source, /message/i)),
  plan: (source) => own('Plan', used(source, /package|plan/i) ?? textOf(recordOf(source.value.Package).PackageName)),
  used: ofData('Data used', 'used'),
  left: ofData('Data left', 'left'),
  limit: ofData('Data limit', 'limit'),
  'near limit': nearLimit,
  'texts on': service('texts', 'MessageEnabled'),
  'calls on': service('calls', 'VoiceEnabled'),
  'data on': (source) => {
    const number = recordOf(source.value.Number);
    const flag = readFlag(number.DataEnabled) ?? hasData(number);
    const state = /^active$/i.test(stateIn(source)) ? '' : `; ${stateWords(source)}`;
    return `${flag ? 'Yes: data is on for' : 'No: no data on'} this line${state}`;
  },
  bought: ({ value }) => own('Bought on', dayText(textOf(recordOf(value.Number).OriginalDatePurchased))),
  waiting,
  sim: ({ value }) => own('SIM (ICCID)', textOf(recordOf(value.Number).Iccid)),
  'sim kind': (source) => own('SIM (ICCID)', simWords(source)),
  kind: (source) => own('Kind', kindWords(source)),
  swaps: (source) => own('SIM swaps left', swapsLeft(source)),
};

/** Facts that the rows of a search do not have, and where they are. */
const APART: Partial<Readonly<Record<LineFact, string>>> = {
  email: 'The email address is not in this list: “Subscriber details” shows that of a customer.',
  sim: 'The SIM is not in this list: “Look up” shows the ICCID of a line.',
  'sim kind': 'Whether a SIM is an eSIM or a plastic one is in no record here. “Look up” shows the ICCID of a line.',
  kind: 'The kind of line is not in this list: “Look up” shows that of a line.',
  swaps: 'The swaps that are left are not in this list: “Look up” shows them for a line.',
  bought: 'The day on which a line was bought is not in this list: “Look up” shows what is known of a line.',
  'texts on': 'Whether texts are on is not in this list: “Look up” shows it for a line.',
  'calls on': 'Whether calls are on is not in this list: “Look up” shows it for a line.',
  'data on': 'Whether data is on is not in this list: “Look up” shows it for a line.',
};

/** The facts that were asked for and that a list of lines does not say. */
export function apartFrom(facts: readonly LineFact[]): string[] {
  return facts.flatMap((fact) => APART[fact] ?? []);
}
