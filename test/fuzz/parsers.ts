import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { fieldsOf, labelOf, outsideIn, parseInput, secretNames } from '../../src/catalogue/input.ts';
import { renderMrkdwn } from '../../src/demo/playground/mrkdwn.ts';
import { parseDelivery, readXml, XmlError } from '../../src/events/parse.ts';
import { argumentToken, quoted, tokenize } from '../../src/language/help.ts';
import { parseLine, parseTokens } from '../../src/language/parse.ts';
import { formatPhone } from '../../src/language/show.ts';
import { SwitchboardError } from '../../src/lib/errors.ts';
import { hideLabelled, hider } from '../../src/lib/hide.ts';
import { bearer } from '../../src/lib/http.ts';
import { styleOf } from '../../src/lib/log.ts';
import { nearest } from '../../src/lib/nearest.ts';
import { qrLines } from '../../src/lib/qr.ts';
import { escapeJson, hasCredentials, jsonText, tooDeep, visible } from '../../src/lib/values.ts';
import { readExpiry, readJwtExpiry } from '../../src/platform/client.ts';
import { activationsIn, activationsOf, createRedactor, withholdActivation } from '../../src/platform/dialect/redact.ts';
import { carrierReason } from '../../src/platform/dialect/verdict.ts';
import { readReply, readRetryAfter } from '../../src/platform/wire.ts';
import { answerText } from '../../src/surfaces/cli/answer.ts';
import { messageIn, RefusedMessage } from '../../src/surfaces/mcp/messages.ts';
import { resultMessage } from '../../src/surfaces/slack/blocks/result.ts';
import { typedLine } from '../../src/surfaces/slack/blocks/text.ts';
import { createReworder } from '../../src/surfaces/slack/people/roles.ts';
import { tools } from '../../tools/index.ts';
import { sinceTime } from '../../tools/shared/fields.ts';
import { megabytes } from '../../tools/shared/line.ts';
import { tokensOf } from './generate.ts';

/** Everything that reads text from outside, and the tokens of its grammar. */
export interface Parser {
  name: string;
  tokens: readonly string[];
  read: (text: string) => unknown;
  /** Errors it may throw; every other one is a fault. */
  declared?: readonly (new (
    ...args: never[]
  ) => Error)[];
}

const NOW = Date.parse('2026-11-21T12:00:00Z');
const SECRETS = ['hunter2-account-secret', '482913', 'eyJhbGciOi.eyJleHAiOjF9.sig', 'p@ss', '1234'];
const redactor = createRedactor(secretNames(tools));
const reworded = createReworder(tools);
const hide = hider(SECRETS);
const number = tools.find(({ id }) => id === 'numbers_get');
const textFields = tools.flatMap((tool) =>
  fieldsOf(tool)
    .filter(({ kind }) => !['number', 'boolean', 'group', 'rows'].includes(kind))
    .map((field) => ({ tool, field })),
);

const LAYOUT = { width: 80, fields: undefined, style: styleOf(true), qr: qrLines, isPortIn: true };

const reply = (status: number, body: string) =>
  readReply({ kind: 'reply', status, headers: {}, body, end: 'complete' }, NOW, hide, false);
const bytes = (text: string) => Buffer.from(text);
/** JSON where the text is some, as deep as an answer may be; the text itself in several places where it is none. */
const parsed = (text: string): unknown => {
  try {
    if (tooDeep(text)) throw new SyntaxError('refused before it is parsed');
    return JSON.parse(text) as unknown;
  } catch {
    const part = text.slice(0, 200);
    return { Message: text, Rows: [{ [part]: part, Name: part }] };
  }
};
const messageOf = (value: unknown) => {
  try {
    return messageIn(value);
  } catch (error) {
    if (error instanceof RefusedMessage) return error.message;
    throw error;
  }
};
const recordOf = (text: string): Record<string, unknown> => {
  const value = parsed(text);
  return value !== null && typeof value === 'object' ? { ...value } : { Result: value };
};
const heldOf = (text: string) => ({
  title: text.slice(0, 100),
  value: recordOf(text),
  changed: false,
  notes: [text.slice(0, 1000)],
});
const requestWith = (authorization: string): IncomingMessage => {
  const request = new IncomingMessage(new Socket());
  request.headers.authorization = authorization;
  return request;
};

const ANSWER = [
  'TransactionLogId',
  'TransactionLogId: 7f3a-11',
  'The PhoneNumber field is required.',
  'The ',
  ' field',
  "'Iccid'",
  'Invalid AccountId',
  'MessageRouteId required',
  '{"Message":"',
  '"}',
  '{"errors":{"',
  '{"StatusMessage":"',
  '[',
  '{"a":',
  '<html>',
  '\\u0000',
  '__proto__',
];
const JSON_TOKENS = [
  ...tokensOf(`
    { } [ ] , : " {"Successful":false {"Successful":{"toString":1}} "OrderId":"JNUOID-1" "Status":"Complete"
    "AuthCode":"482913" 1e999 -0 "__proto__":{}
  `),
  '\\',
  '\\ud800',
];
const XML = [
  ...tokensOf(`
    <a> </a> <a/> <!-- --> <?xml ?> <![CDATA[ ]]> &amp; &constructor; &__proto__; &#x41; &#99999999; & <!DOCTYPE
    <Item> <__proto__> </__proto__> <OrderId>JNUOID-1</OrderId>
  `),
  '<a b="',
  "<a b='c'>",
];
const LINE = [
  ...tokensOf(`
    portin update cancel-order-request OrderId= PhoneNumber=+12015550101 +12015550101 (201) Body=" 'x “ a= =
    {"Number":" [{ }] <tel:+12015550101| <mailto:a@b| <https://a| |a> <tel: &lt; &amp;lt; AID-1 help form ,
    ,https://
  `),
  '+1 201 555 0101',
  '"a” ',
  '” ',
  '\\"',
  '\\ ',
  ', ',
];
const VALUES = [
  ...tokensOf(`
    +12015550101 201-555- ( x a@ a. @a. .. https:// https://u:p@h/ wss:// 2026- 12/31/2026 8h T12:00:00. Z AID-
    JNUOID- 890 {"CustomKeywords": image/ Order_Update,
  `),
];
const SHOWN = [
  ...tokensOf(`"Name":" ABC Abc ABc1 LPA:1$smdp.example.com$ https://x/?c=LPA:1%24`),
  ...JSON_TOKENS,
  '\u001b]0;t\u0007',
  '\u009b2J',
  '\u202e',
  '+12015550101, ',
];
const SECRET_TEXT = [
  ...tokensOf(`1234 4 +1201555 -1234 %3D PIN: AuthCode= eyJ . p@ aHVudGVyMi 2024-01-`),
  ...SECRETS,
  '\\n',
];
const MRKDWN = [
  ...tokensOf(`
    *a * _ ~ <@U1> <!date^1^{date} <!date^1^{constructor}|x> <http > | &gt; :x: :constructor: :
  `),
  '`',
  '```',
  '\n',
  '\uE000',
  '\uE001',
];
const DATES = [...tokensOf(`1 12/31/2026 :00 AM P.M. ( ) - , T Z 99999999999`), ' ', 'Wed, 21 Oct 2026 07:28:00 GMT'];

/** The parsers cover many kinds of text. Their names appear in the printed figures. */
export const parsers: readonly Parser[] = [
  { name: 'platform answer, 400', tokens: ANSWER, read: (text) => reply(400, text) },
  { name: 'platform answer, 200', tokens: [...ANSWER, ...JSON_TOKENS], read: (text) => reply(200, text) },
  { name: 'Retry-After', tokens: DATES, read: (text) => readRetryAfter({ 'retry-after': text }, NOW) },
  { name: 'tokenExpiry', tokens: DATES, read: (text) => readExpiry(text, 'America/Denver') },
  { name: 'JWT', tokens: ['eyJ', '.', 'e30', '{}', '-_', 'A'], read: readJwtExpiry },
  { name: 'XML', tokens: XML, read: readXml, declared: [XmlError] },
  {
    name: 'delivery, XML',
    tokens: XML,
    read: (text) => parseDelivery({ endpoint: 'platform', body: bytes(text), contentType: 'text/xml' }),
  },
  {
    name: 'delivery, JSON',
    tokens: [...JSON_TOKENS, '"MessageId":"a"', '"To":["', '"From":"+1"', '"CallId":"c"', '"Event":"'],
    read: (text) => parseDelivery({ endpoint: 'messages', body: bytes(text), contentType: 'application/json' }),
  },
  {
    name: 'delivery, content type',
    tokens: ['application/', 'x+', 'json', ';', 'charset', 'text/', '+xml', '-', '.'],
    read: (text) => parseDelivery({ endpoint: 'voice', body: bytes('{"CallId":"c","Event":"e"}'), contentType: text }),
  },
  {
    name: 'delivery, query',
    tokens: ['MessageId=', '&', '=', 'To=', '%2B1', '+', 'MmsMedia=[', '"]', '%', ' 12015550101'],
    read: (text) =>
      parseDelivery({ endpoint: 'messages', body: bytes(''), contentType: '', query: new URLSearchParams(text) }),
  },
  { name: 'command line, Slack', tokens: LINE, read: (text) => parseLine('numbers', text, tools) },
  {
    name: 'command line, shell',
    tokens: LINE,
    read: (text) => parseTokens('message', text.split('\n').slice(0, 100).map(argumentToken), tools),
  },
  { name: 'quotes and brackets', tokens: LINE, read: tokenize },
  { name: 'Slack links', tokens: LINE, read: (text) => quoted(typedLine(text)) },
  {
    name: 'field values',
    tokens: VALUES,
    read: (text) => {
      // The text decides which field of which operation reads it, so that all fields are covered.
      const at = [...text.slice(0, 50)].reduce(
        (sum, char) => (sum * 31 + (char.codePointAt(0) ?? 0)) % 9973,
        text.length,
      );
      const { tool, field } = textFields[at % textFields.length] ?? { tool: undefined, field: undefined };
      if (tool && field) parseInput(tool, { ...tool.examples[0], [field.name]: text }, new Date(NOW));
    },
    declared: [SwitchboardError],
  },
  {
    name: 'field names',
    tokens: ['PhoneNumber', 'Nonsense', '__proto__', 'constructor', '.'],
    read: (text) => number && parseInput(number, { [text]: 1 }, new Date(NOW)),
    declared: [SwitchboardError],
  },
  { name: 'phone number', tokens: VALUES, read: formatPhone },
  { name: 'moment', tokens: DATES, read: (text) => sinceTime(text, NOW) },
  { name: 'data volume', tokens: ['1', ',000', '.', ' ', 'MB', 'K'], read: megabytes },
  { name: 'URL', tokens: VALUES, read: hasCredentials },
  {
    name: 'nearest name',
    tokens: LINE,
    read: (text) =>
      nearest(
        text,
        tools.map(({ id }) => id),
      ),
  },
  {
    name: 'carrier reason',
    tokens: ['account', ' num', 'pass', '-', 'first', '_name', 'date', ' and ', 'mdn not'],
    read: carrierReason,
  },
  { name: 'bearer header', tokens: ['Bearer', ' ', 'x', 'Bearer  '], read: (text) => bearer(requestWith(text)) },
  {
    name: 'MCP message',
    tokens: [...JSON_TOKENS, '"method":"initialize"', '"params":{'],
    read: (text) => messageOf(parsed(text)),
  },
  { name: 'redaction of texts', tokens: SECRET_TEXT, read: (text) => hideLabelled(hide(text)) },
  {
    name: 'redaction of values',
    tokens: [...SECRET_TEXT, ...JSON_TOKENS],
    read: (text) => redactor.strip(parsed(text), { secrets: SECRETS, written: text }),
  },
  { name: 'unseen characters', tokens: SHOWN, read: (text) => visible(text) + escapeJson(text) + jsonText(text) },
  { name: 'labels', tokens: ['A', 'a', 'Aa', '1', '_', '-', 'ID', ' '], read: labelOf },
  { name: 'terminal table', tokens: SHOWN, read: (text) => answerText({ value: parsed(text) }, LAYOUT) },
  {
    name: 'Slack result',
    tokens: SHOWN,
    read: (text) => resultMessage(heldOf(text), { shared: 'U1' }),
  },
  {
    name: 'Slack wording',
    tokens: ['Follow it with confirmations_get, id ', '.', 'numbers_get', 'a_', 'a', ' '],
    read: reworded,
  },
  { name: 'mrkdwn', tokens: MRKDWN, read: (text) => renderMrkdwn(text) },
  {
    name: 'marks',
    tokens: [...SHOWN, '2026-01-01', 'USD', 'Active'],
    read: (text) => outsideIn(number, parsed(text)),
  },
  {
    name: 'activation codes',
    tokens: SHOWN,
    read: (text) => [withholdActivation(parsed(text)), activationsIn(parsed(text)), activationsOf(parsed(text))],
  },
];
