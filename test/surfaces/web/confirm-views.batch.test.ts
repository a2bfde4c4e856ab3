import { beforeEach, describe, expect, it } from 'vitest';
import { BatchClient, PARK, STATUS } from '../../support/batches.ts';
import { confirm, look, lookAsStranger, type Page, press } from '../../support/page.ts';
import { PROVISION, seeded } from '../../support/seed.ts';
import { openWorld, until } from '../../support/world.ts';

/** Longer than a test takes that does not end the wait itself. */
const HANG_MS = 20_000;

const world = await openWorld();
const batches = new BatchClient(await world.client());
beforeEach(() => world.reset());

const phonesIn = ({ html }: Page) => [...html.matchAll(/<td>(\+\d+)<\/td>/g)].map(([, phone]) => phone);
const text = ({ html }: Page) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const csv = async (url: string, which: string) => (await look(`${url}?csv=${which}`)).html;

/** The address of the question in a page's link or in its redirect. */
const newest = async (url: string): Promise<string> => {
  const [first] = (await world.runtime.gate.actions.list({ states: ['pending'], limit: 1 })) ?? [];
  return new URL(`/confirm/${first?.id}`, url).href;
};

describe('the page of a batch', () => {
  it('shows all rows, exceptions first, above the button that confirms', async () => {
    const phones = Array.from({ length: 199 }, () =>
      String(world.sandbox.perform('/v1.0/numbers/provision', PROVISION).PhoneNumberAssigned),
    );
    const made = await batches.create({
      Operation: 'numbers_status',
      Fields: PARK,
      Numbers: [...phones, seeded(7), seeded(99)],
    });
    const { url } = made.confirmation;
    const first = await look(url);
    expect(phonesIn(first).slice(0, 3)).toEqual([seeded(7), seeded(99), phones[0]]);
    expect(text(first)).toContain('199 numbers');
    expect(phonesIn(first)).toHaveLength(201);
    expect(first.html.indexOf('value="confirm"')).toBeGreaterThan(first.html.lastIndexOf('</table>'));
    await press(url, 'confirm', {}, first);
    await press(url, 'stop');
    await batches.reaches(made.batch.id, 'stopped');
    expect((await csv(url, 'results')).split('\r\n')).toHaveLength(203);
  });

  it('stops for good, shows the progress, gives both files, and asks for the rest', async () => {
    const made = await batches.park([1, 2, 3, 4, 5]);
    const { url } = made.confirmation;
    expect(await csv(url, 'plan')).toContain(`1,1,${seeded(1)}`);
    await world.control('faults', { path: STATUS, times: 1, hangMs: HANG_MS });
    await confirm(url);
    const running = await look(url);
    expect(running.html).toMatch(/<progress max="1" value="0">0 of 5</);
    expect(running.html).toContain('data-running');
    // For a browser without scripts.
    expect(running.html).toContain('<a href="">Look again</a>');
    await until(async () => (await world.sent(STATUS)).length === 1, 'the first request');
    await press(url, 'stop');
    await batches.reaches(made.batch.id, 'stopped');
    await world.answerNow(HANG_MS);
    await until(async () => (await batches.get(made.batch.id)).batch.running === 0, 'the first request has ended');
    const stopped = await look(url);
    expect(text(stopped)).toContain('Stopped: 1 done, 4 not sent. By local:');
    expect(stopped.html).not.toContain('value="stop"');
    const again = await press(url, 'stop', {}, running);
    expect(again.status).toBe(409);
    // The page says who confirmed, how far the batch is, who stopped it, and when.
    expect(text(again)).toMatch(/Stopped: .* By local:.*Confirmed by.*local:.*\d\d:\d\d:\d\d UTC/s);
    expect(await csv(url, 'results')).toContain(`1,${seeded(1)},done`);
    await press(url, 'rest', {}, stopped);
    const rest = await look(await newest(url));
    expect(phonesIn(rest)).toEqual([2, 3, 4, 5].map(seeded));
    expect(await world.sent(STATUS)).toHaveLength(1);
  });

  it('leaves rows out by a new question, and never by the old one', async () => {
    const made = await batches.park([1, 2, 3]);
    const { url, id } = made.confirmation;
    const old = await look(url);
    for (const out of ['4', '0', '1.5', 'x', '']) expect((await press(url, 'leave', { out }, old)).status).toBe(409);
    expect((await batches.get(made.batch.id)).batch.status).toBe('waiting');
    await press(url, 'leave', { out: '2' }, old);
    const next = await newest(url);
    expect(next).not.toBe(url);
    const page = await look(next);
    expect(phonesIn(page)).toEqual([1, 3].map(seeded));
    // The old question cannot be confirmed, and says where the new one is.
    const late = await press(url, 'confirm', {}, old);
    expect([late.status, await world.sent(STATUS)]).toEqual([409, []]);
    expect(text(late)).toMatch(/Open the question in its place.*local:/s);
    expect((await look(url)).html).toContain(next.slice(next.indexOf('/confirm')));
    const digests = await Promise.all(
      (await world.runtime.gate.actions.list({ limit: 2 })).map(({ shown }) => String(shown.Digest)),
    );
    expect(new Set(digests).size).toBe(2);
    expect((await world.runtime.gate.actions.get(id))?.decidedReason).toContain('1 row was left out');
    await confirm(next);
    const batch = String((await world.runtime.gate.actions.get(next.split('/').at(-1) ?? ''))?.shown.Batch);
    await batches.reaches(batch, 'done');
    const sent = (await world.runtime.gate.actions.ofBatch(batch)).map((one) => JSON.stringify(one.shown));
    expect(sent.join()).not.toContain(seeded(2));
    expect(sent.join()).toContain(seeded(3));
  });

  it('shows strangers nothing, not even as a file', async () => {
    const made = await batches.park([1, 2]);
    for (const query of ['', '?csv=plan']) {
      const { html } = await lookAsStranger(`${made.confirmation.url}${query}`);
      expect(html).not.toContain(seeded(1));
    }
  });
});
