import { describe, expect, it } from 'vitest';
import { parseInput } from '../../src/catalogue/input.ts';
import type { Tool } from '../../src/catalogue/operation.ts';
import { exampleLine, inputLine, slackStyle, tokenize, wordsOf } from '../../src/language/help.ts';
import { parseLine, secretsTyped } from '../../src/language/parse.ts';
import { tools } from '../../tools/index.ts';
import { ORDER, TSUID } from '../support/seed.ts';

const A = '+12015550101';
const B = '+12015550102';

function toolNamed(id: string): Tool {
  const found = tools.find((candidate) => candidate.id === id);
  if (!found) throw new Error(`no ${id}`);
  return found;
}

function call(line: string) {
  const [group = '', ...rest] = line.split(' ');
  const parsed = parseLine(group, rest.join(' '), tools);
  if (parsed.kind !== 'call') throw new Error(`not a call: ${JSON.stringify(parsed)}`);
  return parsed;
}

function problem(line: string) {
  const [group = '', ...rest] = line.split(' ');
  const parsed = parseLine(group, rest.join(' '), tools);
  if (parsed.kind !== 'problem') throw new Error(`not a problem: ${JSON.stringify(parsed)}`);
  return parsed;
}

describe('words', () => {
  it.each(['workgroups create', 'workgroups create form', 'numbers new'])('make no record in %s', (line) => {
    expect(problem(line).message).toContain(`There is no operation ${line.replace(' form', '')}.`);
  });

  it.each([
    ['numbers portin', 'numbers_portin'],
    ['numbers portin update', 'numbers_portin_update'],
    ['numbers portin/update', 'numbers_portin_update'],
    ['numbers cancel-order-request', 'numbers_cancel_order_request'],
    ['numbers cancel_order-request', 'numbers_cancel_order_request'],
    ['numbers cancel', 'numbers_cancel'],
    ['numbers order', 'numbers_order_get'],
    ['numbers numbers_data_usage_set', 'numbers_data_usage_set'],
    [`numbers ${A}`, 'numbers_lookup'],
    [`number ${A}`, 'numbers_lookup'],
    ['number (201) 555-0101', 'numbers_lookup'],
    ['numbers ICCID=8901240397190195850', 'numbers_get'],
    [`subscribers ${TSUID}`, 'subscribers_get'],
    ['subscribers guardian-features', 'subscribers_guardian_features_get'],
    ['account voice routes', 'account_voice_routes_get'],
  ])('%s is %s', (line, id) => {
    expect(call(line).tool.id).toBe(id);
  });

  it('reaches every operation by its own words, and no two share them', () => {
    const said = tools.map((tool) => `${tool.group} ${wordsOf(tool).join(' ')}`);
    expect(new Set(said).size).toBe(tools.length);
    for (const [i, line] of said.entries()) expect(call(line).tool.id).toBe(tools[i]?.id);
  });

  it('tells help and forms from calls', () => {
    expect(parseLine('numbers', '', tools)).toEqual({ kind: 'help', group: 'numbers' });
    expect(parseLine('numbers', ' help ', tools)).toEqual({ kind: 'help', group: 'numbers' });
    expect(parseLine('numbers', 'portin update --help', tools)).toMatchObject({
      tool: { id: 'numbers_portin_update' },
    });
    expect(parseLine('numbers', 'help order', tools)).toMatchObject({
      kind: 'help',
      tool: { id: 'numbers_order_get' },
    });
    expect(call('numbers portin form')).toMatchObject({ form: true, tool: { id: 'numbers_portin' } });
    expect(call(`numbers portin update OrderId=${ORDER} form`)).toMatchObject({
      form: true,
      input: { OrderId: ORDER },
    });
    expect(call('message outbound Body="help"')).toMatchObject({ input: { Body: 'help' }, form: false });
  });

  it('names the nearest operation', () => {
    expect(problem('numbers inventry').suggestion).toBe('numbers inventory');
    expect(problem('numbers data usage').message).toContain('numbers data usage settings');
    expect(problem('number5 get').suggestion).toBe('numbers');
    expect(problem('numbers xyzzy').message).toContain('numbers help');
  });
});

describe('fields', () => {
  it.each<[string, Record<string, unknown>]>([
    [`numbers order ${ORDER}`, { OrderId: ORDER }],
    [`numbers order orderid=${ORDER}`, { OrderId: ORDER }],
    [`numbers get ${A}`, { PhoneNumber: A }],
    ['numbers get 8901240397190195850', { ICCID: '8901240397190195850' }],
    [`numbers update ${A} ${TSUID}`, { Number: A, AssignedSubscriberId: TSUID }],
    [`numbers cancel ${A} ${B}`, { PhoneNumbers: [{ Number: A }, { Number: B }] }],
    [`numbers cancel PhoneNumbers=${A},${B}`, { PhoneNumbers: [{ Number: A }, { Number: B }] }],
    [`numbers cancel PhoneNumbers=${A} PhoneNumbers=${B}`, { PhoneNumbers: [{ Number: A }, { Number: B }] }],
    [`numbers cancel PhoneNumbers=${A} ${B}`, { PhoneNumbers: [{ Number: A }, { Number: B }] }],
    [
      `numbers cancel PhoneNumbers=[{"Number": "${A}"}, {"Number":"${B}"}]`,
      { PhoneNumbers: [{ Number: A }, { Number: B }] },
    ],
    [`numbers cancel PhoneNumbers=[{“Number”: “${A}”}]`, { PhoneNumbers: [{ Number: A }] }],
    [
      `numbers status park ${A} EffectiveDate=12/31/2026`,
      { StatusChange: 'park', PhoneNumbers: [{ Number: A }], EffectiveDate: '12/31/2026' },
    ],
    [
      `numbers status swap-sim PhoneNumbers={"Number":"${A}","ICCID":"8901240397190195850"}`,
      { StatusChange: 'swap-sim', PhoneNumbers: [{ Number: A, ICCID: '8901240397190195850' }] },
    ],
    [`message outbound ${A} ${B} Body="Hi, it's me"`, { To: [{ Number: A }], From: B, Body: "Hi, it's me" }],
    [`message outbound To=${A} From=${B} Body=“Hi there”`, { To: [{ Number: A }], From: B, Body: 'Hi there' }],
    [
      `message outbound From=${B} Body='say "hi"' +1 201 555 0101`,
      { To: [{ Number: '+12015550101' }], From: B, Body: 'say "hi"' },
    ],
    ['message outbound Body="a \\"b\\" c"', { Body: 'a "b" c' }],
    ['message outbound Body="x=y"', { Body: 'x=y' }],
    ['message outbound Body={name}', { Body: '{name}' }],
    [
      'message outbound MmsMedia=https://a.example/1,2.png,https://a.example/3.png',
      { MmsMedia: [{ MediaUrl: 'https://a.example/1,2.png' }, { MediaUrl: 'https://a.example/3.png' }] },
    ],
    [
      'numbers availability MessageEnabled=yes VoiceEnabled=FALSE AreaCode=201 PageNumber=2',
      { MessageEnabled: true, VoiceEnabled: false, AreaCode: '201', PageNumber: 2 },
    ],
    [
      'account create AccountName=Acme BillingAddress.city="Salt Lake" BillingAddress.Zip=84043',
      { AccountName: 'Acme', BillingAddress: { City: 'Salt Lake', Zip: '84043' } },
    ],
    [
      'account create BillingAddress={"City": "Lehi"} BillingAddress.Zip=84043',
      { BillingAddress: { City: 'Lehi', Zip: '84043' } },
    ],
    ['subscribers create Role="account admin" PhoneNumbers=[]', { Role: 'Account Admin', PhoneNumbers: [] }],
    ['message routes update MRID-1 RouteName=null', { MessageRouteId: 'MRID-1', RouteName: null }],
    [
      'subscribers call-filter create KeywordFilter={"CustomKeywords": ["a b"]}',
      { KeywordFilter: '{"CustomKeywords": ["a b"]}' },
    ],
    [
      'voice routes create IpWhitelist=192.0.2.1,192.0.2.2 Trunk1Priortiy=10',
      { IpWhitelist: [{ IpAddress: '192.0.2.1' }, { IpAddress: '192.0.2.2' }], Trunk1Priortiy: 10 },
    ],
    [`numbers order OrderId=${ORDER}`, { OrderId: ORDER }],
  ])('%s', (line, input) => {
    expect(call(line).input).toEqual(input);
  });

  it('takes a time, a number and an order as they stand', () => {
    expect(call(`events since 8h ${A} ${ORDER} messages`).input).toEqual({
      Since: '8h',
      PhoneNumber: A,
      OrderId: ORDER,
      Only: 'messages',
    });
    expect(call('events since 2026-11-20T08:00:00Z').input).toEqual({ Since: '2026-11-20T08:00:00Z' });
    expect(call('events since 2026-11-20 8:15').input).toEqual({ Since: '2026-11-20T08:15' });
    expect(call(`events since 2026-11-20 ${A}`).input).toEqual({ Since: '2026-11-20', PhoneNumber: A });
  });

  it('says how it read a value that fits two fields', () => {
    expect(call(`numbers get ${A}`).notes).toEqual([
      `${A} was read as PhoneNumber; write Number=… if you meant another field.`,
    ]);
    expect(call(`numbers order ${ORDER}`).notes).toEqual([]);
  });

  it('names what is missing, inside a begun address too', () => {
    expect(call('numbers portin update').missing).toEqual(['OrderId']);
    expect(call(`message outbound ${A}`).missing).toEqual(['From', 'Body']);
    const { missing } = call('numbers portin CurrentBillingAddress.City=Lehi');
    expect(missing).toContain('CurrentBillingAddress.Street1');
    expect(missing).not.toContain('CurrentBillingAddress.City');
  });

  it.each<[string, RegExp]>([
    ['numbers order OrderID2=x', /^OrderID2: is not a field of numbers order get; did you mean OrderId\?/],
    [`numbers order OrderId=${ORDER} OrderId=x`, /^OrderId: is given twice/],
    [
      'account create BillingAddress.Town=Lehi',
      /^BillingAddress.Town: is not a field of account create; the fields are BillingAddress.Street1, .*City/,
    ],
    ['account create BillingAddress.City=a BillingAddress.city=b', /^BillingAddress.City: is given twice/],
    [
      'account create BillingAddress=Lehi',
      /^BillingAddress: has several parts; write each, for example BillingAddress\.\w+=…/,
    ],
    ['numbers availability MessageEnabled=maybe', /^MessageEnabled: must be yes or no/],
    ['numbers update CallRouteId=x', /; did you mean MessageRouteId or VoiceRouteId\?/],
    ['numbers find HasPlan=false', /; did you mean Plan\?/],
    ['numbers status Status=Parkd', /; did you mean StatusChange\?/],
    ['numbers find Foo=1', /; the fields are Query, (?:\w+, ){6}\w+ and \d+ more\.$/],
    ['numbers availability PageNumber=two', /must be a number/],
    ['numbers availability PageNumber=', /^PageNumber: cannot be empty\. Give a value, or leave it out\.$/],
    ['numbers order OrderId=', /^OrderId: cannot be empty\. Give a value\.$/],
    ['message details MessageId=', /^MessageId: cannot be empty\. Give a value\.$/],
    ['numbers cancel PhoneNumbers=[1', /bracket is opened at PhoneNumbers=/],
    ['numbers cancel PhoneNumbers=[}]', /bracket is opened|could not be read. For example PhoneNumbers=/],
    ['message outbound Body="no end', /quote is opened at Body=/],
    ['message outbound Body=Hello there', /put text with spaces in quotes: Body="Hello there"/],
    ['numbers status cancel +12015550101', /numbers_cancel/],
    ['message routes create POST', /could be .* or .*: write .*=POST/],
    [`numbers order ${TSUID}`, /fits no field of numbers order get. For example OrderId=/],
    [`numbers get ${A} ${B}`, /could be Number: write Number=/],
    [
      `subscribers call-filter create Phone=${A} ${B}`,
      /could be AllowedNumbers or BlockedNumbers or .*: write AllowedNumbers=/,
    ],
  ])('%s is told what to do', (line, message) => {
    expect(problem(line).message).toMatch(message);
  });

  it('keeps what was understood when something was not', () => {
    expect(problem(`numbers portin update OrderId=${ORDER} Nonsense=1`).input).toEqual({ OrderId: ORDER });
  });

  it('finds the secrets a line carries, and repeats none', () => {
    const typed = call('numbers portin CurrentAccountPassword=0550');
    expect(secretsTyped(typed.tool, typed.input)).toEqual(['CurrentAccountPassword']);
    expect(secretsTyped(typed.tool, {})).toEqual([]);
    const spaced = problem('numbers portin CurrentAccountPassword=hunter2 secret');
    expect(spaced.message).not.toMatch(/hunter2|"secret"/);
    expect(problem('numbers portin CurrentAccountPassword="hunter2').message).not.toContain('hunter2');
  });
});

describe('the example line', () => {
  it.each(tools.map((tool) => [tool.id, tool] as const))('of %s reads back as the same input', (_id, tool) => {
    for (const example of tool.examples) {
      const parsed = parseLine(tool.group, inputLine(tool, example), tools);
      expect(parsed).toMatchObject({ kind: 'call', tool: { id: tool.id }, form: false, missing: [] });
      expect(parsed.kind === 'call' && parsed.input).toEqual(example);
    }
  });

  it('leaves secrets out where a line must not carry them', () => {
    for (const tool of tools) {
      const parsed = parseLine(tool.group, exampleLine(tool, slackStyle()), tools);
      expect(parsed.kind === 'call' && secretsTyped(tool, parsed.input)).toEqual([]);
    }
  });

  it.each([
    '',
    ' ',
    'a "quoted" word',
    "it's",
    '“curly”',
    'back\\slash',
    '{',
    '[x',
    'two\nlines',
    'a=b',
    '\\"',
    'ends\\',
    '”',
    ',',
    'ü €',
  ])('carries any text: %j', (Body) => {
    const parsed = parseLine('message', inputLine(toolNamed('message_outbound'), { Body }), tools);
    expect(parsed.kind === 'call' && parsed.input).toEqual({ Body });
  });

  it('of every tool is an input its definition takes', () => {
    for (const tool of tools)
      expect(() => parseInput({ ...tool, rules: () => undefined }, tool.examples[0], new Date())).not.toThrow();
  });
});

describe('quotation marks', () => {
  it.each([
    ['Body=“she moved”', 'she moved'],
    ['Body=„sie zieht um“', 'sie zieht um'],
    ['Body=«elle part»', 'elle part'],
    ['Body=»hun går«', 'hun går'],
    ['Body=“one end"', 'one end'],
    ['Body="café — “ok” …"', 'café — “ok” …'],
    ['Body="she said “yes”, it’s ‘fine’"', 'she said “yes”, it’s ‘fine’'],
    ['Body=“she “really”, it’s «so»”', 'she “really”, it’s «so»'],
    ['Body=«she said “hi” ok»', 'she said “hi” ok'],
    ['Body=‘it’s ok, isn’t it’', 'it’s ok, isn’t it'],
    ['Body=„sie sagte «ja» dazu“', 'sie sagte «ja» dazu'],
    ['Body=’tis', '’tis'],
    ['Body=5”', '5”'],
    ['Body="“all of it”"', '“all of it”'],
    ['Body=“said \\”x\\” ok”', 'said ”x” ok'],
  ])('%s is %s', (typed, Body) => {
    const parsed = parseLine('message', `outbound ${typed}`, tools);
    expect(parsed.kind === 'call' && parsed.input).toEqual({ Body });
  });

  it('that are never closed are a problem', () =>
    expect(parseLine('message', 'outbound Body=“she moved', tools)).toMatchObject({ kind: 'problem' }));
});

it('tokenize never loops or throws, whatever is typed', () => {
  const alphabet = ['"', "'", '“', '”', '{', '}', '[', ']', '\\', '=', 'a', ' ', ','];
  let seed = 7;
  for (let round = 0; round < 3000; round += 1) {
    let text = '';
    for (let i = 0; i < 12; i += 1) {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      text += alphabet[seed % alphabet.length];
    }
    expect(tokenize(text)).toBeDefined();
    expect(parseLine('numbers', `get ${text}`, tools).kind).toBeDefined();
  }
});
