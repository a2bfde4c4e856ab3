import { defineOperation, type LocalHistory, type RowSentence } from '../../src/catalogue/operation.ts';
import { type Fields, isRecord } from '../../src/lib/values.ts';
import { moneyText } from '../../src/platform/dialect/readings.ts';
import { text } from '../shared/before.ts';
import { e164, out, page, rowsAPage } from '../shared/fields.ts';
import { keptAbout } from '../shared/line.ts';

/** Largest number of events that are searched for the times of one number's messages. */
const MOST = 500;
const UNTIMED = 'The platform lists no times. At is when it was recorded here; message_details_get has CreatedOn.';

const UNTIMED_SAID =
  'The platform lists no times: they are those of messages that were sent here or reported to Switchboard. “Details of this message” has the time of the others.';

/** When the messages of a number were received or sent, by their id, as far as it was recorded here. */
async function timesOf(phone: string, history: LocalHistory): Promise<ReadonlyMap<string, string>> {
  const period = { ...keptAbout(phone, history), limit: MOST };
  const { list } = await history.happened({ ...period, kinds: ['message', 'action'] });
  return new Map(
    list.flatMap(({ at, values }) => {
      const id = text(values.MessageId);
      return id === undefined ? [] : [[id, at] as const];
    }),
  );
}

const details = (MessageId: string) => ({
  ...{ tool: 'message_details_get', title: 'Details of this message', input: { MessageId } },
});

/** A message in words: "sent to +13125550123, delivered, $0.02". */
function sentenceOf(row: Fields, { PhoneNumber }: { PhoneNumber: string }): RowSentence {
  const isSent = /^out/i.test(text(row.Direction) ?? '');
  const sentTo = Array.isArray(row.To) ? row.To : [row.To];
  const others = isSent
    ? sentTo.flatMap((to: unknown) => text(isRecord(to) ? to.Number : to) ?? [])
    : [text(row.From) ?? ''].filter((from) => from !== '');
  const status = text(row.Status)?.toLowerCase();
  const media = Array.isArray(row.MmsMedia) ? row.MmsMedia.length : 0;
  const id = text(row.MessageID);
  const at = Date.parse(text(row.At) ?? '');
  const says = [
    `${isSent ? 'sent to' : 'received from'} ${others.join(', ') || 'an unknown number'}`,
    // The state of a message that came in says nothing more.
    !isSent && status === 'received' ? undefined : status,
    media > 0 ? `${media} ${media === 1 ? 'attachment' : 'attachments'}` : undefined,
    isSent ? (moneyText(row.Cost) ?? text(row.Cost)) : undefined,
  ].filter((part) => part !== undefined);
  const [other, ...more] = others;
  const answers = other !== undefined && more.length === 0;
  const reply = { From: PhoneNumber, To: [{ Number: other }] };
  return {
    says: says.join(', '),
    ...(Number.isNaN(at) ? {} : { at }),
    ...(text(row.Body) !== undefined && { quote: text(row.Body) ?? '' }),
    next: [
      ...(answers ? [{ tool: 'message_outbound', title: 'Write to this number', input: reply }] : []),
      ...(id === undefined ? [] : [details(id)]),
    ],
  };
}

export default defineOperation({
  endpoint: 'GET /v1.0/message/search',
  title: 'Messages of a number',
  description: 'SMS and MMS that a number sent and received, with times, texts and status.',
  batch: { row: 'PhoneNumber' },
  notes:
    'PLATFORM.md, Message: the query is sent as phoneNumber, rows spell MessageID and CampaignID; assumed: PhoneNumber is required, at most 100 rows a page',
  input: () => ({
    PhoneNumber: e164,
    Page: page.optional(),
    Results: rowsAPage('Page').optional().describe('rows a page').meta({ title: 'Rows a page' }),
  }),
  // The interface describes PhoneNumber as a message's id by mistake. The number is phoneNumber.
  send: ({ PhoneNumber, ...rest }) => ({ phoneNumber: PhoneNumber, ...rest }),
  output: () => ({
    ...out.members('PhoneNumber ResultsTotalRecords ResultsPages'),
    Results: out.rows({
      MessageID: out.key('TMID'),
      ...out.members('At Direction Type Cost Status From Owner Body'),
      CampaignID: out.key('JCID', 'TCID'),
      To: out.rows({ Number: out.plain }),
      MmsMedia: out.rows({ MediaUrl: out.said }),
    }),
    Times: out.own,
  }),
  present: async (answer, { input, history }) => {
    const rows = Array.isArray(answer.Results) ? answer.Results : [];
    if (rows.length === 0) return answer;
    const times = await timesOf(input.PhoneNumber, history);
    const timed = rows.map((row: unknown) => {
      const at = isRecord(row) ? (text(row.CreatedOn) ?? times.get(text(row.MessageID) ?? '')) : undefined;
      return isRecord(row) && at !== undefined ? { At: at, ...row } : row;
    });
    const isWhole = timed.every((row) => isRecord(row) && row.At !== undefined);
    return { ...answer, Results: timed, ...(isWhole ? {} : { Times: UNTIMED }) };
  },
  sentences: {
    of: 'Results',
    total: 'ResultsTotalRecords',
    title: (count, { PhoneNumber }) =>
      `${count === 0 ? 'No messages' : count === 1 ? '1 message' : `${count} messages`} of ${PhoneNumber}`,
    row: sentenceOf,
    remarks: ({ Times }) => (Times === undefined ? [] : [UNTIMED_SAID]),
  },
});
