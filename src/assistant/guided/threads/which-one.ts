import type { Tool } from '../../../catalogue/operation.ts';
import { formatPhone } from '../../../language/show.ts';
import type { ShownRecord } from '../../../language/shown.ts';
import { type GuidedAnswer, help } from '../answers/answer.ts';
import { withNumber } from '../answers/numbers.ts';
import { values } from '../answers/thread-values.ts';
import { isOffer, type Meant, type Reading, type Topic } from '../answers/topics.ts';
import { withReference } from './references.ts';
import { lineWords, PERSON } from './shown-records.ts';

/*
 * "Bring that one back" after a list of several lines: the lines of the list that the order fits are the choice, and the
 * next message may say which one. Where it fits one of them, that one is meant.
 */

/** An order for one of several lines. */
export interface Choice {
  /** The message with this line in place of the word for it. */
  text: string;
  line: ShownRecord;
}

const REACTIVATE = 'numbers_reactivate';
const MOST_BUTTONS = 5;

/** The order for a line that was shown, or the choice of one. Undefined for other messages. */
export function ofListedLine(text: string, topic: Topic, now: number, reading: Reading): Meant | undefined {
  const { listed = [], person: _, ...rest } = topic;
  const [first] = listed;
  if (first === undefined || values(text, now).some(({ kind }) => kind === 'digits' || kind === 'number'))
    return undefined;
  const choices = listed.flatMap((line): (Choice & { said: string })[] => {
    const digits = lineWords(line);
    const meant = withReference(text, { ...rest, line: digits }, now, reading);
    const said = meant?.word?.said ?? '';
    const isOne =
      meant?.kind === 'refers' ? meant.word?.means === digits && !PERSON.test(said) : meant?.kind === 'read';
    return isOne && meant && isAbout(reading.of(meant.text), digits) ? [{ text: meant.text, line, said }] : [];
  });
  if (choices.length === 0) return undefined;
  const fitting = choices.filter(({ text: full, line }) => fits(reading.of(full), line, reading));
  const [only, ...others] = fitting.length > 0 ? fitting : choices;
  if (only === undefined) return undefined;
  const said = only.said === '' ? text.trim() : only.said;
  if (others.length === 0) return { text: only.text, kind: 'refers', word: { said, means: lineWords(only.line) } };
  const all = [only, ...others];
  const names = all.map(({ line }) => lineWords(line));
  const note = `“${said}” may be ${names.slice(0, -1).join(', ')} or ${names.at(-1)}, which were shown. Write which one`;
  return { text, kind: 'which', choices: all, note };
}

function isAbout({ kind, input, find }: GuidedAnswer, digits: string): boolean {
  return kind !== 'help' && JSON.stringify([input, find?.input]).includes(digits);
}

/** True for a line in the state that a change needs. */
function fits(answer: GuidedAnswer, { isCancelled }: ShownRecord, reading: Reading): boolean {
  if (!isOffer(answer, reading) || !/^(?:numbers_|message_outbound$)/.test(answer.operation ?? '')) return true;
  return (isCancelled === true) === (answer.operation === REACTIVATE);
}

const AT = /\b(?:(first|1st|upper|former)|(second|2nd)|(third|3rd)|(fourth|4th)|(fifth|5th)|(last|latter|lower))\b/iu;

/** The order for the line that a message chooses: "0107", "the second one". Undefined for other messages. */
export function ofChosen(text: string, choices: readonly Choice[], now: number): Meant | undefined {
  const [said, ...others] = values(text, now);
  const isLine = said?.kind === 'digits' || said?.kind === 'number';
  const digits = isLine && others.length === 0 ? said.text.replace(/\D/g, '') : undefined;
  const words = (text.match(/[\p{L}\d]+/gu) ?? []).length;
  const at = words > MOST_WORDS ? -1 : (AT.exec(text) ?? []).slice(1).findIndex((one) => one !== undefined);
  const chosen =
    digits !== undefined && words <= MOST_WORDS
      ? choices.find(({ line }) => line.name.endsWith(digits))
      : at === LAST
        ? choices.at(-1)
        : choices[at];
  return chosen && { text: chosen.text, kind: 'read' };
}

const MOST_WORDS = 5;
const LAST = 5;

/** The answer that asks which line is meant, with a button for each. */
export function whichAnswer(
  { choices = [], note = '' }: { choices: Meant['choices'] | undefined; note: string | undefined },
  answered: (text: string) => GuidedAnswer,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer {
  const nearest = choices.slice(0, MOST_BUTTONS).flatMap(({ text, line }) => {
    const answer = answered(text);
    const tool = toolOf(answer.operation ?? '');
    if (!tool) return [];
    const { input } = answer.find ? withNumber(tool, answer, line.name) : answer;
    return [{ operation: tool.id, input, label: formatPhone(line.name).national }];
  });
  return { ...help(`${note}. Nothing was done`), ...(nearest.length > 0 && { nearest }) };
}
