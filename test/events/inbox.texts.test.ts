import { expect, it } from 'vitest';
import { describeEngines } from '../support/stores.ts';
import { engineInbox, serve } from './support.ts';

const NUL = '\0';

describeEngines('texts of deliveries', (engine) => {
  it('the character NUL is replaced, and a repeat is still recognized', async () => {
    const { inbox } = await engineInbox(engine);
    const { url } = await serve({ inbox });
    const send = async (fields: Record<string, string>) =>
      (
        await fetch(`${url}/events/platform`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(fields),
        })
      ).status;
    const message = { MessageId: 'TMID-1', From: `+1201555${NUL}0199`, To: '+12015550101', Body: `a${NUL}b` };
    const order = { OrderId: 'JNUOID-1', Status: `Pend${NUL}ing`, ErrorMessage: `no${NUL}` };
    const unknown = { Event: `Some${NUL}thing`, Value: NUL };
    for (const fields of [message, order, unknown, message, order, unknown]) expect(await send(fields)).toBe(200);
    // Together with others in one statement.
    const more = ['TMID-2', 'TMID-3', 'TMID-2'].map((MessageId, n) =>
      send({ ...message, MessageId, From: `+1201555019${n % 2}${NUL}` }),
    );
    expect(await Promise.all(more)).toEqual([200, 200, 200]);

    const events = await inbox.since(0);
    expect(events.map(({ event }) => event.key).sort()).toEqual([
      'message TMID-1',
      'message TMID-2',
      'message TMID-3',
      'order JNUOID-1 Pend\uFFFDing',
      expect.stringMatching(/^unknown /),
    ]);
    const [first] = events.filter(({ event }) => event.key === 'message TMID-1');
    expect(first?.event).toMatchObject({ from: '+1201555\uFFFD0199', text: 'a\uFFFDb' });
    expect(await inbox.since(0, 10, { about: ['+1201555\uFFFD0199'] })).toHaveLength(1);
    expect(inbox.counters.all().filter(({ what }) => what === 'repeated')).toEqual([
      expect.objectContaining({ label: 'message', count: 2 }),
      expect.objectContaining({ label: 'order', count: 1 }),
      expect.objectContaining({ label: 'unknown', count: 1 }),
    ]);
  });
});
