import type { GuidedAnswer } from '../answers/answer.ts';

/*
 * `Text 0101 "we fixed it" and then tell me if it arrived`: the text ends with its quotation, and what follows is a wish of
 * the writer, which nothing here can keep until the text is sent.
 */

const TEXT =
  /^(?<order>\W*(?:(?:please|pls|plz|hi|hey|ok|okay|so|can|could|would|you|u|also|then|now|just)[\s,]+)*(?:text|message|msg|sms|tell|send|write|notify|inform|ping|shoot|drop|dm)\b[^"“”„]*["“„][^"“”„]{2,}["”“][^"“”„,;.!?]*?)(?:\s*[,;.!?]+\s+|\s+)(?:(?:and|then|also|plus|after\s+that|afterwards)\s+)+(?<wish>(?:(?:please|pls|can\s+you|could\s+you|i\s+(?:want|need)\s+to)\s+)*(?:tell|let|show|give|ping|notify|inform|text|message|remind)\s+(?:me|us)\b[^"“”„]*|(?:(?:please|pls)\s+)*(?:check|see|find\s+out|look|report|confirm|watch|wait|make\s+sure)\b[^"“”„]*)$/isu;

/** The order to send such a text, and the wish as one that is not taken. Undefined for other messages. */
export function ofQuotedText(said: string, answered: (text: string) => GuidedAnswer): GuidedAnswer | undefined {
  const { order, wish = '' } = TEXT.exec(said)?.groups ?? {};
  if (order === undefined) return undefined;
  const answer = answered(order.trim());
  if (answer.operation !== 'message_outbound' || answer.kind === 'help') return undefined;
  const told = `. Not taken: “${wish.trim().replace(/[\s.!?]+$/, '')}”`;
  return {
    ...answer,
    understood: `${answer.understood.replace(/\.$/, '')}${told}.`,
    remarks: `${answer.remarks ?? ''}${told}`,
  };
}
