import type { GuidedAnswer } from '../answers/answer.ts';
import type { Asked } from '../facts/stance.ts';

/*
 * "Cancel the notice for Ava's data" and "delete 0103's messages" end no line. An offer to cancel the line would destroy
 * something that the message does not name.
 */

const ENDS_LINE = 'numbers_cancel';
const BUYS_LINE = 'numbers_provision';
const VERB =
  '(?:cancel|delete|remove|end|terminate|disconnect|stop|kill|drop|scrap|close|erase|wipe|clear|ditch|cut(?:\\s+off)?|shut(?:\\s+(?:off|down))?|get\\s+rid\\s+of)';
const BUYS = '(?:new|another|get|add|order|buy|need|create|set\\s+up)';
/** Words between a verb and its object. */
const BETWEEN = String.raw`(?:\s+(?:the|his|her|their|its|all|any|every|of|my|our|this|that|these|those|old|new|extra|[#…*]*\+?\d[\d().-]*(?:['’]s)?|\p{L}[\p{L}-]*['’]s))*`;
/** Words for a line and what belongs to it as a whole. */
const WHOLE = /^(?:please|pls|service|services|contract|asap|completely|entirely|altogether|today|now|immediately)$/iu;

/** The object of a verb that an offer to cancel a line leaves untaken. Undefined if the line itself is to end. */
export function partOfLine(
  { operation, kind, wordsLeft = [] }: GuidedAnswer,
  { said }: Pick<Asked, 'said'>,
): string | undefined {
  const verb = operation === ENDS_LINE ? VERB : operation === BUYS_LINE ? BUYS : undefined;
  if (verb === undefined || (kind !== 'form' && kind !== 'question')) return undefined;
  return wordsLeft
    .map((one) => one.replace(/[“”]/g, ''))
    .find((words) => {
      const [last = ''] = words.split(' ').slice(-1);
      const object = words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+');
      const place = String.raw`(?:${BETWEEN}|[^,.;!?]*?\s(?:from|off|out\s+of)(?:\s+the)?)`;
      return (
        !WHOLE.test(last) &&
        new RegExp(String.raw`\b${verb}\b${place}\s+${object}(?!\p{L}|\s+(?:numbers?|lines?|e?-?sims?)\b)`, 'iu').test(
          said,
        )
      );
    });
}

/** Says that the line itself is not what was named. */
export function whyNotLine(part: string, { operation }: GuidedAnswer): string {
  if (operation === BUYS_LINE) return `You asked for “${part}” and not for a number, so that none is bought`;
  return `You asked to end “${part}” and not the line, so that its cancellation is not offered. “Cancel NUMBER” ends a line`;
}
