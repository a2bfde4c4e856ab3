import { randomBytes } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { Conversations } from '../../src/assistant/conversations.ts';
import { createSeal } from '../../src/ledger/seal.ts';
import { DAY_MS } from '../../src/lib/clock.ts';
import { FakeClock } from '../support/clock.ts';
import { describeEngines, makeStore, type TestStore } from '../support/stores.ts';

describeEngines('the turns of a thread', (engine) => {
  let data: TestStore;
  let conversations: Conversations;
  let clock: FakeClock;
  beforeEach(async () => {
    clock = new FakeClock();
    data = await makeStore(engine, clock);
    const { store } = data;
    const seal = createSeal(randomBytes(32));
    conversations = new Conversations({ database: store.database('ledger'), seal, clock: store.clock });
  });

  const begun = async (person: string): Promise<string> => {
    const made = await conversations.begin('thread', person);
    if (typeof made === 'string') throw new Error(made);
    return made.turn;
  };

  it('a stop that comes late does not stop the next turn, which answers another person', async () => {
    const first = await begun('ava');
    expect(await conversations.running('thread')).toEqual({ turn: first, person: 'ava' });
    await conversations.end({ thread: 'thread', turn: first, person: 'ava', memories: [] }, []);
    expect(await conversations.running('thread')).toBeUndefined();
    const second = await begun('ben');
    expect(await conversations.stop('thread', first)).toBe(false);
    expect(await conversations.renew('thread', second)).toBe('held');
    expect(await conversations.stop('thread', second)).toBe(true);
    expect(await conversations.renew('thread', second)).toBe('stopped');
    expect(await conversations.starterOf('thread')).toBe('ava');
  });

  it('a turn ends with all that is remembered of it, so that the next one finds it', async () => {
    const said = { from: 'writer', person: 'ava', name: 'Ava', text: 'the word is heliotrope', at: 1 } as const;
    const first = await begun('ava');
    const own = { thread: 'thread', turn: first, person: 'ava', memories: ['thread', 'other'] };
    expect(await conversations.end(own, [said])).toBe(true);
    for (const memory of ['thread', 'other'])
      expect(await conversations.messages(memory)).toMatchObject([{ text: 'the word is heliotrope' }]);
    // A turn that was taken over adds nothing.
    expect(await conversations.end(own, [said])).toBe(false);
    expect(await conversations.messages('other')).toHaveLength(1);
  });

  it('what was said is erased 30 days after the last message', async () => {
    const said = { from: 'writer', person: 'ava', name: 'Ava', text: 'the word is heliotrope', at: 1 } as const;
    const own = { thread: 'thread', turn: await begun('ava'), person: 'ava', memories: ['thread'] };
    await conversations.end(own, [said]);
    const erase = () => conversations.erase({ payload: { thread: 'thread' } } as never, {} as never);
    clock.advance(30 * DAY_MS - 60_000);
    expect(await erase()).toBe(clock.now() + 60_000);
    expect(await conversations.messages('thread')).toHaveLength(1);
    clock.advance(60_000);
    expect(await erase()).toBeUndefined();
    const kept = await data.store.database('ledger').all('SELECT thread FROM conversations');
    expect(kept).toEqual([]);
  });

  it('up to three turns wait for the one that runs, in their order', async () => {
    const first = await begun('ava');
    const ask = (turn: string) => conversations.begin('thread', 'ava', { turn });
    for (const turn of ['two', 'three', 'four']) expect(await ask(turn)).toBe('waits');
    expect(await ask('five')).toBe('full');
    await conversations.end({ thread: 'thread', turn: first, person: 'ava', memories: [] }, []);
    expect([await ask('three'), await ask('six')]).toEqual(['waits', 'full']);
    await conversations.leave('thread', 'two');
    expect(await ask('three')).toMatchObject({ turn: 'three' });
    expect(await ask('six')).toBe('waits');
  });
});
