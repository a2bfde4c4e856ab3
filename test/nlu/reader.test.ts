import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withoutTypedSecrets } from '../../src/lib/hide.ts';
import { entitiesIn } from '../../src/nlu/entities.ts';
import { loadReader, type Thread, type Understood } from '../../src/nlu/reader.ts';
import { tools } from '../../tools/index.ts';
import { ROOT } from '../support/build.ts';

/** A Sunday, 2:30 in Denver. */
const options = { now: Date.parse('2026-11-22T09:30:00Z'), zone: 'America/Denver', mayUse: () => true };

const reader = loadReader();

/** The answer to the last of these messages, which stand in one thread. The thread is stored as JSON in between. */
function ask(...messages: string[]): Understood {
  let thread: Thread | undefined;
  let answer: Understood | undefined;
  for (const message of messages) {
    const read = reader.answer(message, thread, options);
    answer = read.answer;
    thread = JSON.parse(JSON.stringify(read.thread));
  }
  if (!answer) throw new Error('no message');
  return answer;
}

const operationsOf = ({ operation, offers }: Understood) => [operation, ...offers.map((one) => one.operation)];

describe('the reader of plain words', () => {
  it.each([
    ['park 0103 or 0104', {}, ['0103', '0104']],
    ['limit 0105 to 10 gb, warn at 80 %', { operation: 'numbers_data_usage_set', find: '0105' }, ['80']],
    ["don't cancel 0103, park 0104", { operation: 'numbers_status', find: '0104' }, []],
  ])('fills nothing that is open or forbidden: %s', (says, answer, notTaken) => {
    const { find, ...read } = ask('0101', says);
    expect({ ...read, ...read.offers[0] }).toMatchObject({ ...answer, notTaken });
    expect(Object.values(read.offers[0]?.input ?? {})).not.toContain(81_920);
    expect(read.offers[0]?.find).toBe('find' in answer ? find : undefined);
  });

  it.each(['give ben 100 mb more', 'add 100 mb to 0101'])('takes no difference for an amount: %s', (says) => {
    expect(ask(says)).toMatchObject({ operation: 'numbers_data_usage_set', input: {}, notTaken: ['100 mb'] });
  });

  it.each([
    ['0103', 'numbers_find', '0103'],
    ['hi, 0103 please', 'numbers_find', '0103'],
    ['zebra quagga', 'numbers_find', 'zebra quagga'],
    ['ava stone', 'numbers_find', 'ava stone'],
    ['ava stone and ben reed', 'numbers_find', 'ava stone, ben reed'],
    ['who has 0103 and 0102', 'numbers_find', '0103, 0102'],
    ['+1 (201) 555-0103', 'numbers_lookup', '+12015550103'],
  ])('looks up a message of nothing but a name or a number: %s', (says, operation, find) => {
    const { kind, ...answer } = ask(says);
    expect([kind, answer.operation, answer.find]).toEqual(['read', operation, find]);
  });

  it('looks up a name that says nothing of the open offer', () => {
    const answer = ask('block calls from 3125550199 for ben', 'José Núñez');
    expect(answer).toMatchObject({ kind: 'read', operation: 'numbers_find', find: 'José Núñez' });
  });

  it.each([
    ['park 0103 tomorrow', 'numbers_status', { StatusChange: 'park', EffectiveDate: '11/23/2026' }, '0103'],
    ['park 0106 12/31/2026', 'numbers_status', { EffectiveDate: '12/31/2026' }, '0106'],
    ['park 0103 0104 dec 31', 'numbers_status', { EffectiveDate: '12/31/2026' }, '0103, 0104'],
    ['cap 0105 at 5 gb, warn at 4', 'numbers_data_usage_set', { LimitValue: 5120 }, '0105'],
    ['new sim for 0101, 89012601111222233334', 'numbers_update', { Iccid: '89012601111222233334' }, '0101'],
    [
      'block calls from 3125550199 for ben',
      'subscribers_call_filter_blocked_numbers_add',
      { Numbers: ['+13125550199'] },
      undefined,
    ],
  ])('offers the form of a likely and ordered change, filled in: %s', (says, operation, input, find) => {
    const answer = ask(says);
    expect(answer.kind).toBe('form');
    expect([answer.operation, answer.find]).toEqual([operation, find]);
    expect(answer.input).toMatchObject(input);
  });

  it.each(['never mind', 'cancel that', 'forget it', 'scratch that please', 'don’t'])(
    'offers nothing for “%s”, and takes back what is offered',
    (says) => {
      const alone = ask(says);
      expect([alone.kind, alone.about, alone.withdraws, alone.offers]).toEqual(['told', 'withdraw', undefined, []]);
      expect(ask('park 0103', says)).toMatchObject({ kind: 'told', about: 'withdraw', withdraws: true, offers: [] });
    },
  );

  it.each([
    ['park 0103, not 0104', '0103', '0104'],
    ['cancel 0103 but not 0105', '0103', '0105'],
    ['reactivate 0107 instead of 0108', '0107', '0108'],
    ['cancel all lines except 0105', undefined, '0105'],
  ])('fills no field with what is excluded: %s', (says, find, excluded) => {
    const { offers, notTaken, ...answer } = ask(says);
    expect(answer.find).toBe(find);
    expect(JSON.stringify([answer.input, offers])).not.toContain(excluded);
    expect(notTaken).toContain(excluded);
  });

  it.each([
    ['text 0104 “on its way”', 'on its way'],
    ['text 0104 "on its way"', 'on its way'],
    ['text 0104 „on its way“', 'on its way'],
    ['text 0104 «on its way»', 'on its way'],
    ['text 0104 ‘on its way’', 'on its way'],
    ['text 0104: Your SIM is here; cancel 0103 & call us', 'Your SIM is here; cancel 0103 & call us'],
    ['text 0104: he said "on its way"', 'he said "on its way"'],
    ['text 0104: "on its way" or "soon there"', '"on its way" or "soon there"'],
    ['text 0104: "on its way"', 'on its way'],
    ['text 0104 that it is on its way', undefined],
    ['text 0104 "on its way" or "soon there"', undefined],
  ])('takes a text from one quotation or behind a colon, as it was typed: %s', (says, body) => {
    const offer = ask(says).offers.find(({ operation }) => operation === 'message_outbound');
    expect(offer?.input.Body).toBe(body);
  });

  it.each([
    ['park 0106 on 30 February', '30 February (no such day)'],
    ['park 0106 on feb 30', 'feb 30 (no such day)'],
    ['park 0106 on december 45', 'december 45 (no such day)'],
    ['park 0106 32 december', '32 december (no such day)'],
    ['park 0106 on 2/30/2027', '2/30/2027 (no such day)'],
    ['park 0106 31.02.2027', '31.02.2027 (no such day)'],
    ['park 0106 on 1201', '1201'],
    ['park 0106 on the 15th', '15th'],
  ])('fills no field of digits with what it does not take: %s', (says, left) => {
    const { notTaken, input } = ask(says);
    expect(input).toEqual({ StatusChange: 'park' });
    expect(notTaken).toEqual([left]);
  });

  it.each(['change ava’s email to x@y.example', 'set ava stone’s email to x@y.example'])(
    'names the e-mail address that no field takes: %s',
    (says) => {
      const { offers } = ask(says);
      expect(offers.find(({ operation }) => operation === 'subscribers_update')?.find).toBeUndefined();
      expect(ask(says).notTaken).toEqual(['x@y.example']);
    },
  );

  it('reads who sends and receives a text behind its quotation too', () => {
    const [offer] = ask('send "cancel 0103" to 0102 from 0101').offers;
    expect(offer).toEqual({
      operation: 'message_outbound',
      find: '0102',
      input: { From: '0101', Body: 'cancel 0103' },
    });
  });

  it.each([
    'set the port-out pin of 0102 to 4711',
    'port 3125550111 in from verizon, account 55123, pin 4711',
    'password: 4711',
  ])('repeats no secret: %s', (says) => {
    const { answer, thread } = reader.answer(withoutTypedSecrets(says).text, undefined, options);
    expect(JSON.stringify([answer, thread])).not.toContain('4711');
  });

  it('leaves a field empty that gets two values', () => {
    const { input, offers } = ask('assign 0110 to ben or to ava');
    expect([input.AssignedSubscriberId, ...offers.map((one) => one.input.AssignedSubscriberId)]).not.toContain('ben');
  });

  it.each([
    "don't cancel 0104",
    'please do not cancel 0104 yet',
    'nobody asked to cancel 0104',
    'should we cancel 0104?',
    'who cancelled 0104',
  ])('offers no change that is forbidden or only asked about: %s', (says) => {
    expect(operationsOf(ask(says))).not.toContain('numbers_cancel');
  });

  it('reads the order behind what is forbidden', () => {
    expect(ask("don't cancel 0103, park it").offers[0]).toMatchObject({ operation: 'numbers_status', find: '0103' });
  });

  it('offers both of two changes, and quotes the part that it does not answer', () => {
    const both = ['numbers_cancel', 'numbers_reactivate'];
    expect(operationsOf(ask('cancel 0103 and reactivate 0107'))).toEqual([undefined, ...both]);
    expect(ask('why can’t 0104 text and what is the data limit of 0103').notTaken.length).toBeGreaterThan(0);
  });

  it.each([
    [
      ['cap 0105 at 5 gb', 'no, 8 gb'],
      { operation: 'numbers_data_usage_set', input: { LimitValue: 8192 }, find: '0105' },
    ],
    [
      ['cap 0105 at 5 gb', 'make it 8'],
      { operation: 'numbers_data_usage_set', input: { LimitValue: 8192 }, find: '0105' },
    ],
    [['park 0103', 'sorry, 0104'], { operation: 'numbers_status', input: { StatusChange: 'park' }, find: '0104' }],
    [['look up ava stone', 'park her line'], { operation: 'numbers_status', find: 'ava stone' }],
    [['who owns 0104', 'cap it at 2gb'], { operation: 'numbers_data_usage_set', find: '0104' }],
  ])('goes on with the thread: %s', (messages, expected) => {
    expect(ask(...messages)).toMatchObject({ kind: 'form', ...expected });
  });

  it('answers and offers only what the writer may use', () => {
    const isRead = (id: string) => tools.find((tool) => tool.id === id)?.risk === 'read';
    const { answer } = reader.answer('cancel 0104', undefined, { ...options, mayUse: isRead });
    expect(operationsOf(answer).filter((id) => id !== undefined && !isRead(id))).toEqual([]);
    expect(reader.search('cancel 0104', isRead).filter((operation) => !isRead(operation))).toEqual([]);
  });

  it('never takes a change for a read', () => {
    const learned: { says: string; means: string[] }[] = JSON.parse(
      readFileSync(join(ROOT, 'tools/workflows/words.json'), 'utf8'),
    );
    // One for each meaning, because each takes milliseconds.
    const one = new Map(learned.map((each) => [String(each.means), each]));
    expect(one.size).toBeGreaterThan(200);
    for (const { says, means } of one.values()) {
      const { kind, operation } = ask(says);
      if (kind === 'read') expect([says, means, reader.isChange(operation ?? '')]).toEqual([says, means, false]);
    }
  });
});

describe('the search', () => {
  it.each(tools)('finds $id by its id and its title', ({ id, title }) => {
    for (const name of [id, id.replaceAll('_', ' '), title, title.toUpperCase()])
      expect(reader.search(name, () => true)[0]).toBe(id);
  });

  it.each([
    ['find which customer a phone number belongs to', /^numbers_(?:lookup|find)$/],
    ['give someone more gigabytes', /^numbers_data_usage_set$/],
    ['the porting was rejected', /^numbers_order_get$/],
    ['cancel 50 numbers at once', /^batches_create$/],
    ['what is still waiting for approval', /^confirmations_get$/],
  ])('finds what a wish asks for: %s', (wish, operation) => {
    expect(reader.search(wish, () => true)[0]).toMatch(operation);
  });
});

/** 23:30 on a Sunday in Denver; Monday in UTC. */
const moment = { now: Date.parse('2026-11-23T06:30:00Z'), zone: 'America/Denver' };

const valuesIn = (text: string) =>
  entitiesIn(text, moment).map(({ kind, value }) => `${kind} ${typeof value === 'object' ? value.iso : value}`);

it.each([
  // The clocks of Denver go back on this day: 1:30 am comes twice, and the first one leaves nothing out.
  ['what happened since Nov 1 at 1:30 am', { Since: '2026-11-01T07:30:00.000Z' }],
  ['history of 0103 since yesterday 6pm', { Since: '2026-11-22T01:00:00.000Z' }],
  ['what happened since 9 am', { Since: '2026-11-21T16:00:00.000Z' }],
  ['what happened since monday', { Since: '2026-11-16' }],
])('a time that a question names is kept, in the zone of its writer: %s', (says, input) => {
  expect(ask(says)).toMatchObject({ kind: 'read', operation: 'events_since', input });
});

it('“what is waiting?” asks what waits for approval, whatever was said before', () => {
  for (const before of ['text 0103: hi', '0103', 'park 0103', 'reactivate 0107', 'what happened today', 'ava stone'])
    expect([before, ask(before, 'what is waiting?').about]).toEqual([before, 'waiting']);
});

describe('entities', () => {
  it.each([
    ['0103 and +1 (201) 555-0104', ['line 0103', 'phone +12015550104']],
    ['201.555.0104, 2015550105', ['phone +12015550104', 'phone +12015550105']],
    ['iccid 8901 2601 1112 2223 3334', ['iccid 89012601111222233334']],
    ['5 gb, 1.5gb, 500 mb, 2 gigs', ['volume 5120', 'volume 1536', 'volume 500', 'volume 2048']],
    ['128 kbps and 1mbps', ['speed 128-kbps', 'speed 1-mbps']],
    ['$12.50 or 9 dollars', ['money 12.5', 'money 9']],
    ['zip 60614, area 312, 4 lines', ['zip 60614', 'area 312', 'count 4']],
    ['tsuid-00000000-0000-4000-8000-000000000001', ['id TSUID-00000000-0000-4000-8000-000000000001']],
    ['mail ann@acme.example or https://acme.example/in.', ['email ann@acme.example', 'url https://acme.example/in']],
    ['trunk at 203.0.113.9', ['ip 203.0.113.9']],
    ['say “on its way”', ['text on its way']],
    ["it's ben's", []],
    ['tomorrow', ['day 2026-11-23']],
    ['today', ['day 2026-11-22']],
    ['next friday', ['day 2026-11-27']],
    ['on dec 14', ['day 2026-12-14']],
    ['may i warn at 4', ['count 4']],
  ])('of “%s”', (text, expected) => {
    expect(valuesIn(text)).toEqual(expected);
  });

  it('are spans of the text that do not overlap', () => {
    const text = 'port 3125550111 to Ava by monday 5 pm, 10 gb for $20, "all of 0103"';
    const entities = entitiesIn(text, moment);
    for (const [at, { from, to }] of entities.entries()) {
      expect(to).toBeGreaterThan(from);
      expect(from).toBeGreaterThanOrEqual(entities[at - 1]?.to ?? 0);
    }
  });
});
