import { phonesIn } from '../../../platform/dialect/phone.ts';
import type { Meant, Reading } from '../answers/topics.ts';

/*
 * Messages about the customer whom an open offer creates: "his number will be 0110" is a value of that form, and "she
 * brings her number over" a port-in for a person who is no customer yet.
 */

const CREATES = 'subscribers_create';
const PORT_IN = 'numbers_portin';
const PROVISION = 'numbers_provision';
const THEY = /\b(?:s?he|they|her|his|their|him|them)\b/iu;
const LINE = String.raw`(?<line>[#…*]*\d{4}(?!\d)|\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d))`;
const LEAD = String.raw`^\W*(?:(?:oh|and|also|ok|okay|so|sorry|btw|please|pls|plus|then)\b[\s,]*)*`;
const HAS_NUMBER = new RegExp(
  String.raw`${LEAD}(?:(?:his|her|their|the)\s+(?:new\s+)?(?:number|line|phone)(?:\s+number)?\s*(?:\b(?:is|will\s+be|should\s+be|must\s+be|would\s+be|gonna\s+be|becomes)\b|[:=])|(?:s?he|they)(?:['’]ll)?\s+(?:(?:will|should|is|are|going|to|also|now)\s+)*(?:gets?|takes?|haves?|has|be\s+on|on|getting)|with)\s+(?:(?:the\s+)?(?:number|line)\s+)?${LINE}(?:\s+(?:to\s+(?:him|her|them)|please|pls|then|too|as\s+well))*[\s.!]*$`,
  'iu',
);

/** "Whats her id" */
const ASKS_ID =
  /\b(?:what(?:['’]?s|\s+is)?|which|show|give|tell|need|got)\b[^.;!]{0,24}\b(?:her|his|their|the)\s+(?:new\s+)?(?:(?:subscriber|customer|sub|user)\s*)?(?:id|tsuid)\b/iu;

/** The message with the person whom the offer before it creates. Undefined for other messages. */
export function ofCreatedPerson(text: string, last: string, reading: Reading): Meant | undefined {
  const { operation, input, kind } = reading.of(last);
  const { Name: name } = input;
  if (operation !== CREATES || kind === 'help' || typeof name !== 'string') return undefined;
  if (ASKS_ID.test(text))
    return {
      ...{ text, kind: 'unclear', isAside: true },
      note: `“${name}” is no customer yet, and has no id: the form of “${last}” creates them, and its answer has the id`,
    };
  const line = HAS_NUMBER.exec(text)?.groups?.line;
  if (line !== undefined) {
    const number = phonesIn(line)[0] ?? line.replace(/\D/gu, '');
    const fragment = `, ${text.trim()}`;
    reading.join(fragment, { operation: CREATES, input: { PhoneNumbers: [number] }, left: [] });
    return { text: `${last.replace(/[\s.!]+$/, '')}${fragment}`, kind: 'adds', before: last };
  }
  const they = THEY.exec(text)?.[0];
  const own = they === undefined || /\?/.test(text) ? undefined : reading.of(text);
  const tool = reading.toolOf(PORT_IN);
  const note = `“${name}” is no customer yet: send the form of “${last}” first, and then choose them in this one`;
  // "And get him a number in 415" is for the person, and not for the company of an earlier message.
  if (they !== undefined && own?.operation === PROVISION && /^(?:him|her|them)$/iu.test(they))
    return {
      text: text.replace(/\b(?:him|her|them)\b/iu, name),
      ...{ kind: 'refers', word: { said: they, means: name }, open: last, note },
    };
  if (they === undefined || own?.operation !== PORT_IN || !tool || own.input.AssignedSubscriberId !== undefined)
    return undefined;
  const fragment = `, ${name}`;
  reading.join(fragment, { operation: PORT_IN, input: { SubscriberName: name }, left: [] });
  return {
    text: `${text.replace(/[\s.!]+$/, '')}${fragment}`,
    ...{ kind: 'refers', word: { said: they, means: name }, open: last },
    note,
  };
}
