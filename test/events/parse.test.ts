import { describe, expect, it } from 'vitest';
import { toXml } from '../../src/demo/sandbox/deliveries.ts';
import { type Delivery, type Endpoint, parseDelivery, readXml } from '../../src/events/parse.ts';
import { cpuTimeOf } from '../support/cpu.ts';

const json = (endpoint: Endpoint, value: unknown, more: Partial<Delivery> = {}) =>
  parseDelivery({
    endpoint,
    body: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
    contentType: 'application/json; charset=utf-8',
    ...more,
  });
const event = (...given: Parameters<typeof json>) => {
  const parsed = json(...given);
  if (!('event' in parsed)) throw new Error(parsed.message);
  return parsed.event;
};
const reason = (...given: Parameters<typeof json>) => {
  const parsed = json(...given);
  return 'reason' in parsed ? parsed.reason : 'accepted';
};
const MESSAGE = { MessageId: 'TMID-1', Direction: 'INBOUND', From: '+15550001111', To: '+12015550101', Body: 'hi' };

describe('what a delivery becomes', () => {
  it('reads an order, and Complete and Completed are one', () => {
    const complete = event('platform', { OrderId: 'JNUOID-1', Status: 'Complete', ErrorMessage: '', Extra: 7 });
    expect(complete).toMatchObject({ kind: 'order', orderId: 'JNUOID-1', status: 'Completed', fields: { Extra: 7 } });
    expect(event('platform', { OrderId: 'JNUOID-1', Status: 'Completed' }).key).toBe(complete.key);
    expect(event('platform', { OrderId: 'JNUOID-1', Status: 'Scheduled' }).key).not.toBe(complete.key);
    expect(event('platform', { OrderId: 'JNUOID-1', Status: 'Half Done' })).toMatchObject({ status: 'Half Done' });
  });

  it('knows one inbound message from the webhook and from the route', () => {
    const hook = event('platform', MESSAGE, { named: 'New_Sms' });
    const MmsMedia = [{ MediaUrl: 'https://x.test/a.png' }, { MediaUrl: 'file:/x' }];
    const route = event('messages', { ...MESSAGE, MmsMedia });
    expect(hook).toMatchObject({ kind: 'message', text: 'hi' });
    const bare = event('messages', { ...MESSAGE, To: '12015550101', From: '12345' });
    expect(bare).toMatchObject({ from: '12345', to: [MESSAGE.To] });
    expect(route.key).toBe(hook.key);
    expect(route).toMatchObject({ media: ['https://x.test/a.png'] });
  });

  it('keeps each status of a message apart from the message and from the others', () => {
    const sent = event('message-status', { ...MESSAGE, Direction: 'OUTBOUND', Status: 'Sent' });
    const delivered = event('message-status', { ...MESSAGE, Direction: 'OUTBOUND', Status: 'Delivered' });
    expect(sent.kind).toBe('status');
    expect(new Set([sent.key, delivered.key, event('messages', MESSAGE).key]).size).toBe(3);
    expect(sent.subject).toBe(event('messages', { ...MESSAGE, From: MESSAGE.To, To: MESSAGE.From }).subject);
  });

  it('reads calls from the webhook and the voice route as one', () => {
    const call = { CallId: 'CALL-1', Event: 'Call_Ringing', From: '+15550001111', To: '+12015550101' };
    expect(event('platform', call).key).toBe(event('voice', call).key);
    expect(event('voice', { CallId: 'CALL-1' }, { named: 'Call_On_Hold' })).toMatchObject({ event: 'Call_On_Hold' });
  });

  it('keeps events nobody knows, once, whatever the order of their members', () => {
    const first = event('platform', { A: 1, B: { C: 2, D: 3 } }, { named: 'Number_Ported' });
    expect(first).toMatchObject({ kind: 'unknown', name: 'Number_Ported', fields: { A: 1 } });
    expect(event('platform', { B: { D: 3, C: 2 }, A: 1 }, { named: 'Number_Ported' }).key).toBe(first.key);
    expect(event('platform', { A: 2 }, { named: 'Number_Ported' }).key).not.toBe(first.key);
  });

  it('reads a query, with a plus that was not escaped', () => {
    const query = new URLSearchParams('MessageId=TMID-9&From=+15550001111&To=%2B12015550101&Body=a+b');
    expect(event('messages', '', { query })).toMatchObject({ from: '+15550001111', to: ['+12015550101'], text: 'a b' });
  });

  it('says why something is no event', () => {
    expect(reason('platform', '{"OrderId":"JNUOID-1","Sta')).toBe('unreadable');
    expect(reason('platform', Buffer.from([0x22, 0xff, 0x22]).toString('latin1'))).toBe('senseless');
    const orders = ['{"OrderId":"JNUOID-1"}', '{"OrderId":"a b","Status":"x"}'];
    for (const senseless of ['', '[]', '"x"', '5', 'null', '{}', ...orders])
      expect(reason('platform', senseless), senseless).toBe('senseless');
    for (const senseless of [{ Body: 'x' }, { ...MESSAGE, MessageId: ['a'] }, { ...MESSAGE, From: '' }])
      expect(reason('messages', senseless)).toBe('senseless');
    expect(reason('message-status', MESSAGE)).toBe('senseless');
    expect(reason('voice', { From: 'x', CallId: ['a'] }, { named: 'Call_Ringing' })).toBe('senseless');
    expect(reason('platform', { a: 1 }, { contentType: 'image/png' })).toBe('content_type');
    expect(reason('platform', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`)).toBe('senseless');
    expect(reason('platform', '['.repeat(1_000_000))).toBe('senseless');
    expect(json('platform', '', { body: Buffer.from([0x7b, 0xff, 0x7d]) })).toMatchObject({ reason: 'unreadable' });
  });
});

describe('an event without an id of its own', () => {
  const sms = { From: '+12015550199', To: '+12015550101', Body: 'hello', CreatedOn: '2026-03-02T10:00:00.1' };
  it('is kept under a digest: a repeat is the same, other content is another', () => {
    const first = event('messages', sms);
    expect(first).toMatchObject({ kind: 'message', messageId: '', text: 'hello' });
    expect(event('messages', { ...sms }).key).toBe(first.key);
    expect(event('messages', { ...sms, CreatedOn: '2026-03-02T10:00:05.0' }).key).not.toBe(first.key);
    expect(event('message-status', { ...sms, Status: 'Delivered' })).toMatchObject({ kind: 'status' });
    const call = event('voice', { From: '+12015550199', To: '+12015550101' }, { named: 'Call_Ringing' });
    expect(call).toMatchObject({ kind: 'call', callId: '', event: 'Call_Ringing' });
  });
});

describe('XML', () => {
  const xml = (text: string) => json('platform', text, { contentType: 'application/xml; charset=utf-8' });

  it('reads what the sandbox writes', () => {
    const value = { Body: `<a> & "b" 'c' é ☎`, MmsMedia: [{ MediaUrl: 'https://x.test/?a=1&b=2' }], Empty: '' };
    expect(readXml(`<?xml version="1.0"?>${toXml('New_Sms', value)}\n`)).toEqual({ root: 'New_Sms', value });
  });

  it('gives the same event as JSON does', () => {
    const fields = { OrderId: 'JNUOID-1', Status: 'Rejected', ErrorMessage: 'no & never' };
    const parsed = xml(`<?xml version="1.0" encoding="UTF-8"?>${toXml('Order_Update', fields)}`);
    expect(parsed).toMatchObject({ event: { ...event('platform', fields), name: 'Order_Update' } });
  });

  it('reads CDATA, comments, attributes and numeric entities', () => {
    const text = `<!-- x --><r a="1" b='2>'><x><![CDATA[<&>]]></x><y>&#x41;&#66;&lt;</y><z/><x>2</x></r>`;
    expect(readXml(text).value).toEqual({ x: ['<&>', '2'], y: 'AB<', z: '' });
  });

  it.each([
    ['a document type', '<!DOCTYPE r [<!ENTITY a "b">]><r>&a;</r>'],
    ['an entity nobody knows', '<r><a>&nbsp;</a></r>'],
    ['an entity named as a member of objects', '<r><a>&constructor;</a></r>'],
    ['a document type after the beginning', '<r><a/><!DOCTYPE r [<!ENTITY a "b">]>&a;</r>'],
    ['a document type between comments in attributes', '<r a="<!--"><!DOCTYPE r [<!ENTITY a "b">]><b c="-->"/>&a;</r>'],
    ['a reserved name', '<r><__proto__><a>1</a></__proto__></r>'],
    ['a bare ampersand', '<r><a>a & b</a></r>'],
    ['nine levels', `${'<a>'.repeat(9)}${'</a>'.repeat(9)}`],
    ['a cut', '<Order_Update><OrderId>JNUOID-1</OrderId><Status>Sub'],
    ['a cut after an element', '<Order_Update><OrderId>JNUOID-1</OrderId>'],
    ['a cut inside a tag', '<Order_Update><OrderId>JNUOID-1</Ord'],
    ['crossed elements', '<r><a><b></a></b></r>'],
    ['two documents', '<r><a>1</a></r><r/>'],
    ['mixed content', '<r>text<a>1</a></r>'],
    ['no XML at all', '{"OrderId":"x"}'],
  ])('refuses %s', (_, text) => {
    expect(xml(text)).toMatchObject({ reason: 'unreadable' });
  });

  it('is quick with a megabyte that goes wrong at its end', () => {
    const took = cpuTimeOf(() => {
      expect(xml(`<r><a>${'&amp;'.repeat(200_000)}`)).toMatchObject({ reason: 'unreadable' });
      expect(xml(`<r ${'a="b" '.repeat(170_000)}`)).toMatchObject({ reason: 'unreadable' });
      expect(xml(`<r>${'<a>1</a>'.repeat(125_000)}</r>`)).toMatchObject({ reason: 'unreadable' });
      expect(xml(`<r>${'<a>1</a>'.repeat(19_000)}&x;</r>`)).toMatchObject({ reason: 'unreadable' });
      for (const open of ['<!--', '<![CDATA['])
        expect(xml(`<r/>${open.repeat(30_000)}${'x'.repeat(500_000)}`)).toMatchObject({ reason: 'unreadable' });
    });
    expect(took).toBeLessThan(1500);
  });
});
