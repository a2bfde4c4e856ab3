import { afterEach, describe, expect, it } from 'vitest';
import { claimDue, event, settle } from '../../events/support.ts';
import { FastClock } from '../../support/clock.ts';
import { id, ORDER, seeded } from '../../support/seed.ts';
import { call, type Json, openWorld, texts, value } from '../../support/world.ts';

const world = await openWorld({}, new FastClock());
const client = await world.client();
afterEach(() => world.reset());

const diagnose = async (PhoneNumber: string, About?: string): Promise<Json> =>
  value(await call(client, 'numbers_diagnose', { PhoneNumber, ...(About ? { About } : {}) }));
const lookup = async (PhoneNumber: string, more: Record<string, unknown> = {}): Promise<Json> =>
  value(await call(client, 'numbers_lookup', { PhoneNumber, ...more }));

const { person: done } = world;
/** The platform reports an order, and the worker has read it. */
async function reported(OrderId: string, status: string, message: string, number: string): Promise<void> {
  const inbox = world.runtime.inbox();
  await inbox.receive(event({ OrderId, Status: status, ErrorMessage: message }));
  const [job] = await claimDue(inbox);
  if (!job) throw new Error('the order is not due');
  await settle(inbox, job, { status, message, numbers: [number] });
}

describe('why a number does not work', () => {
  it('names what is off, each with the tool and input that put it right', async () => {
    await done('numbers_update', { Number: seeded(5), MessageEnabled: false, VoiceEnabled: false });
    const found = await diagnose(seeded(5));
    expect(found.Summary).toBe('SMS and voice are off; data nearly used up, 19.75 of 20 MB used.');
    expect(found.Findings.map((one: Json) => one.Affects)).toEqual([['sms'], ['voice'], ['data']]);
    // One update mends both.
    const [{ Fix }, voice] = found.Findings;
    expect(Fix).toEqual({
      Tool: 'numbers_update',
      Input: { Number: seeded(5), MessageEnabled: true, VoiceEnabled: true },
      Does: 'Turn SMS on, and turn voice on.',
      ConfirmedBy: 'an operator',
    });
    expect(voice.Fix).toBeUndefined();
    const before = (await world.requests()).length;
    const calls = await diagnose(seeded(5), 'calls');
    expect(calls.Summary).toMatch(/^Calls do not work\./);
    // The update mends what the answer names.
    expect(calls.Findings[0].Fix.Input).toEqual({ Number: seeded(5), VoiceEnabled: true });
    expect((await world.requests()).length - before).toBeLessThanOrEqual(7);
    expect((await diagnose(seeded(1), 'texts')).Summary).toMatch(/^Texts work\. /);
    expect((await diagnose(seeded(4), 'data')).Summary).toMatch(/^Data: this line has none by its product\./);
    // Nothing remains beyond the limit of 20 MB either.
    await world.control('usage', { Number: seeded(1), UsedMb: 25 });
    const [stopped] = (await diagnose(seeded(1), 'data')).Findings;
    expect(stopped.Finding).toBe('Data is stopped at its limit: 25 MB used, none left.');
    const [row] = value(await call(client, 'numbers_lookup', { PhoneNumbers: [seeded(1)] })).Numbers;
    expect(row.Summary).toBe('Data is stopped, 25 of 20 MB used');
    world.sandbox.perform('/v1.0/message/routes/delete', { MessageRouteId: id('MRID', 1) });
    const unrouted = await diagnose(seeded(1), 'texts');
    expect(unrouted.Summary).toMatch(/^Texts do not work \(no message route\)/);
    expect(unrouted.Findings[0].Fix.Does).toContain('account_message_routes_get');
  });

  it('says what mends two findings once', async () => {
    const filter = { SubscriberId: id('TSUID', 2), Phone: seeded(2), ApplyToInbound: true };
    await done('subscribers_call_filter_create', { ...filter, FilterMode: 'BLACKLIST' });
    await done('subscribers_message_filter_create', { ...filter, FilterMode: 'TEENAGER' });
    const remedies = (await diagnose(seeded(2))).Findings.flatMap(({ Fix }: Json) => Fix?.Does ?? []);
    expect(remedies).toEqual(['Turn guardian filtering on, if the subscriber is to be protected.']);
  });

  it('asks for nothing more than the fault needs, and has another remedy for what it only notes', async () => {
    await done('numbers_update', { Number: seeded(10), MessageEnabled: false });
    const [fault, note] = (await diagnose(seeded(10))).Findings;
    expect(fault.Fix).toMatchObject({ Input: { MessageEnabled: true }, ConfirmedBy: 'an operator' });
    expect([fault.Fix.Needs, note.Fix.Needs]).toEqual([undefined, ['AssignedSubscriberId']]);
  });

  it('says which part it could not check', async () => {
    await world.control('faults', { path: '/v1.0/message/routes', times: 20, status: 400 });
    const { Summary, NotChecked } = await diagnose(seeded(1));
    expect(NotChecked).toEqual([expect.stringMatching(/^message route: /)]);
    expect(Summary).not.toContain('Nothing was found');
    await world.control('faults', { path: '/v1.0/numbers', times: 20, status: 502 });
    const lost = texts(await call(client, 'numbers_diagnose', { PhoneNumber: seeded(1) }));
    expect(lost).toContain('It could not be read.');
    expect(lost).not.toContain('Nothing was done');
  });
});

describe('a number that is being ported in', () => {
  const phone = '+13125550111';

  it('is answered with its order, in the lookup and in the diagnosis', async () => {
    await reported(ORDER, 'Submitted', '', phone);
    expect(await lookup(phone)).toMatchObject({
      Summary: 'Not in service yet: it is being ported in, and the order is Submitted',
      PortIn: { PhoneNumber: phone, OrderId: ORDER, Status: 'Submitted' },
    });
    const listed = value(await call(client, 'numbers_lookup', { PhoneNumbers: [phone, seeded(1), seeded(99)] }));
    expect(listed).toMatchObject({ Numbers: [{}, { Number: phone, OrderId: ORDER }], NotFound: [seeded(99)] });
    expect(listed.Numbers[1].Summary).toContain('it is being ported in, and the order is Submitted');
    await world.control('orders', { OrderId: ORDER, Status: 'Rejected', ErrorMessage: '8C-ZIP_CODE_REQ_OR_INCORRECT' });
    const rejected = await lookup(phone);
    expect(rejected.PortIn).toMatchObject({ Status: 'Rejected', Why: expect.stringContaining('ZIP') });
    const result = await call(client, 'numbers_diagnose', { PhoneNumber: phone });
    const [finding] = value(result).Findings;
    expect(finding).toMatchObject({
      Finding: expect.stringContaining('The ZIP code does not match'),
      CarrierMessage: '8C-ZIP_CODE_REQ_OR_INCORRECT',
      Fix: { Tool: 'numbers_portin_update', Input: { OrderId: ORDER }, Needs: ['CurrentBillingAddress'] },
    });
    // Only the carrier's words are text from outside.
    expect(result._meta?.['switchboard/outside']).toEqual(['Findings[].CarrierMessage']);
  });
});
