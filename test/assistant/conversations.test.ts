import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Conversations } from '../../src/assistant/conversations.ts';
import { createSeal } from '../../src/ledger/seal.ts';
import { describeEngines, makeStore, type TestStore } from '../support/stores.ts';

describeEngines('the turns of a thread', (engine) => {
  let data: TestStore;
  let conversations: Conversations;
  beforeEach(async () => {
    data = await makeStore(engine);
    const { store } = data;
    const seal = createSeal(randomBytes(32));
    conversations = new Conversations({ database: store.database('ledger'), seal, clock: store.clock });
  });
  afterEach(() => data.remove());

  it('a stop that comes late does not stop the next turn, which answers another person', async () => {
    const first = await conversations.begin('thread', 'ava');
    expect(await conversations.running('thread')).toEqual({ turn: first?.turn, person: 'ava' });
    await conversations.end('thread', first?.turn ?? '', []);
    expect(await conversations.running('thread')).toBeUndefined();
    const second = await conversations.begin('thread', 'ben');
    expect(await conversations.stop('thread', first?.turn ?? '')).toBe(false);
    expect(await conversations.renew('thread', second?.turn ?? '')).toBe('held');
    expect(await conversations.stop('thread', second?.turn ?? '')).toBe(true);
    expect(await conversations.renew('thread', second?.turn ?? '')).toBe('stopped');
    expect(await conversations.starterOf('thread')).toBe('ava');
  });
});
