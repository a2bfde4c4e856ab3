import { fieldsOf } from '../../../catalogue/fields.ts';
import { knownAs } from '../../../language/vocabulary.ts';
import type { Meant, Reading } from '../answers/topics.ts';

/*
 * "No data on it" after the offer of a new line is about this line, and asks nothing about the customer's other ones. The
 * product with the other services is taken, where there is one.
 */

const NEW_LINE = 'numbers_provision';
const FIELD = 'ProductType';
const WITHOUT =
  /^\W*(?:(?:oh|and|but|also|ok|okay|sorry|wait|actually|please|pls|just|with|then)\b[\s,]*)*(?:no|without(?:\s+any)?|w\/o|not?\s+with|leave\s+out(?:\s+the)?|skip(?:\s+the)?)\s+(?:mobile\s+)?(?<service>data|internet|texts?|texting|sms|messag\w+|calls?|calling|voice)(?:\s+(?:on|for|with|in)\s+(?:it|that|this|(?:the|that|this)\s+(?:\p{L}+\s+)?(?:line|number|one)|her|him|them))?(?:[\s,]+(?:please|pls|plz|tho|though|then|needed|wanted|at\s+all))*[\s.!]*$/iu;

function thingOf(word: string): string | undefined {
  return knownAs(word.toLowerCase())?.things.find((thing) => /^(?:text|call|data)$/u.test(thing));
}

/** The open order of a line without one service. Undefined for other messages. */
export function ofWithoutService(text: string, open: string, reading: Reading): Meant | undefined {
  const said = WITHOUT.exec(text)?.groups?.service;
  const { operation, input } = reading.of(open);
  if (said === undefined || operation !== NEW_LINE || input[FIELD] === undefined) return undefined;
  const tool = reading.toolOf(NEW_LINE);
  const choices = (tool && fieldsOf(tool).find(({ name }) => name === FIELD)?.choices) ?? [];
  const partsOf = (choice: string) =>
    choice
      .replace('-only', '')
      .split('+')
      .flatMap((part) => thingOf(part) ?? []);
  const service = thingOf(said) ?? 'data';
  const product = input[FIELD];
  const wanted = typeof product === 'string' ? partsOf(product).filter((thing) => thing !== service) : undefined;
  const own =
    wanted &&
    choices.find(
      (choice) => partsOf(choice).length === wanted.length && partsOf(choice).every((one) => wanted.includes(one)),
    );
  if (own === undefined) {
    const without = choices.filter((choice) => !partsOf(choice).includes(service));
    const note = `No product fits all of that${without.length === 0 ? '' : `: without ${said} there is ${without.join(' and ')}`}. Choose it in the form, or limit the data of the line once it is there: “limit NUMBER to 1 MB”. What was offered before is as it was`;
    return { text, kind: 'unclear', isAside: true, note };
  }
  const fragment = `, without ${said.toLowerCase()}`;
  reading.join(fragment, { operation: NEW_LINE, input: { [FIELD]: own }, left: [] });
  return { text: `${open.replace(/[\s.!]+$/, '')}${fragment}`, kind: 'corrects', before: open };
}
