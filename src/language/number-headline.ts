import { type Fields, isRecord, textOf } from '../lib/json.ts';
import { clean, formatPhone, stateMark } from './show.ts';

/** A looked-up number in one line. */
export interface NumberHeadline {
  /** ⚠️ if something can be put right, otherwise the mark of its state. */
  mark: string;
  /** "Ava Stone · (201) 555-0105: data nearly used up, 19.75 of 20 MB". The name is text from outside. */
  text: string;
}

/** The headline of the answer of a lookup; undefined for any other answer. */
export function numberHeadline(value: Fields): NumberHeadline | undefined {
  const { Summary, Number: number, PortIn: order, Subscriber: subscriber, Fix: fix } = value;
  const record = isRecord(number) ? number : isRecord(order) ? order : undefined;
  const phone = textOf(record?.Number) || textOf(record?.PhoneNumber);
  if (typeof Summary !== 'string' || record === undefined || phone === '') return undefined;
  const state = textOf(record.Status);
  const holder = isRecord(subscriber) ? clean(textOf(subscriber.Name)) : '';
  const who = [holder, formatPhone(phone).national].filter((part) => part !== '').join(' · ');
  const mark = isRecord(fix) && stateMark(state) !== '✕' ? '⚠️' : stateMark(state);
  return { mark, text: `${who}: ${inSentence(clean(Summary))}` };
}

/** A sentence as it goes on after a colon. A word such as "SMS" keeps its capitals. */
function inSentence(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
