import type { Finding, OtherCall, Trace } from '../../src/catalogue/operation.ts';
import type { Fields } from '../../src/lib/json.ts';
import { joined, type Words, words } from '../../src/lib/words.ts';
import { quoted } from '../../src/platform/dialect/plain-values.ts';

const recipients = (input: Fields): string[] =>
  (Array.isArray(input.To) ? (input.To as Fields[]) : []).map((row) => String(row.Number));

const told = (text: string): Words => words`${quoted(text)}`;

/**
 * Reconciles `message_outbound` by its delivery receipt: same sender, same text, no other recipients. The platform has
 * no search for sent messages (PLATFORM.md, Message), so reading cannot prove that nothing was sent.
 */
export async function findMessage(input: Fields, trace: Trace): Promise<Finding> {
  const to = recipients(input);
  const receipts = await trace.receipts(String(input.From));
  const possible = receipts.filter(
    (receipt) =>
      receipt.messageId !== '' &&
      receipt.body === input.Body &&
      receipt.to.length > 0 &&
      receipt.to.every((number) => to.includes(number)),
  );
  const claimed = await trace.claimed(possible.map(({ messageId }) => messageId));
  const found = possible.filter(({ messageId }) => !claimed.has(messageId));
  const ids = [...new Set(found.map((receipt) => receipt.messageId))];
  const [id] = ids;
  if (id === undefined) return { outcome: 'unknown', saw: 'no delivery receipt of this message has come' };
  if (ids.length > 1)
    return {
      outcome: 'unknown',
      saw: words`delivery receipts of several such messages have come: ${joined(ids.map(told), ', ')}`,
    };
  if (trace.open.some((other) => couldBe(other, input)))
    return {
      outcome: 'unknown',
      saw: words`a delivery receipt of ${quoted(id)} has come, and the same message was sent twice`,
    };
  const receipt = found.at(-1);
  // The receipt is sufficient if the record cannot be read now.
  const record = await trace.call('message_details_get', { MessageId: id }).catch(() => undefined);
  // The record may be older than a receipt with the final state of the message.
  const ended = receipt !== undefined && /^(deliver|fail|undeliver|reject)/i.test(receipt.status);
  const status = ended ? receipt.status : (record?.Status ?? receipt?.status);
  return {
    outcome: 'done',
    result: record
      ? { ...record, Status: status }
      : { MessageId: id, From: input.From, To: receipt?.to.join(','), Status: status },
    saw: words`the delivery receipt of ${quoted(id)}${record ? ' and message_details_get' : ''}: ${quoted(status)}`,
  };
}

function couldBe(other: OtherCall, input: Fields): boolean {
  if (other.input === undefined) return true;
  if (other.input.From !== input.From || other.input.Body !== input.Body) return false;
  const to = recipients(input);
  return recipients(other.input).some((number) => to.includes(number));
}
