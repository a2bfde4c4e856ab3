import { TRAFFIC } from '../../../../tools/surfaces/guard.ts';
import { type GuidedAnswer, help } from '../answers/answer.ts';

/* A part that is to go from a filter, such as a number on its lists, which never deletes the filter itself. */

const FROM_FILTER =
  /\b(?:take|remove|delete|drop|clear|strike|get|pull|erase)\s+(?<what>(?:(?!\bfilters?\b)[^,.;!?]){1,60}?)\s+(?:back\s+)?(?:off|from|out\s+of)\s+(?:[^,.;!?]{1,30}\s)?filters?\b/iu;
const DELETES_FILTER: Readonly<Record<string, 'calls' | 'messages'>> = {
  subscribers_call_filter_delete: 'calls',
  subscribers_message_filter_delete: 'messages',
};

/** The answer, or the question which part is meant where an order names a part and the answer would delete the filter. */
export function withoutWhole(guided: GuidedAnswer, said: string, toolOf: (id: string) => unknown): GuidedAnswer {
  const kind = DELETES_FILTER[guided.operation ?? ''];
  const what = FROM_FILTER.exec(said)?.groups?.what?.trim();
  if (kind === undefined || what === undefined) return guided;
  const owner = String(guided.input.CallFilterId ?? guided.input.MessageFilterId ?? 'NAME');
  // "Take ben off the filter" is about the filter that ben has.
  if (what.toLowerCase() === owner.toLowerCase()) return guided;
  const noun = TRAFFIC.find(({ name }) => name === kind)?.noun ?? 'filter';
  const number = /\d{4}/.test(what) ? what : 'NUMBER';
  const read = TRAFFIC.flatMap(({ list }) =>
    toolOf(list) ? [{ operation: list, input: { SubscriberId: owner } }] : [],
  );
  const why = `Which part of the filter “${what}” is was not said, and the filter itself is not deleted for it. Write “unblock ${number} for ${owner}”, “take ${number} off the allow list of ${owner}”, “take the word WORD off the filter of ${owner}”, or “delete the ${noun} of ${owner}” for the whole filter. Nothing was done`;
  return { ...help(why), nearest: read };
}
