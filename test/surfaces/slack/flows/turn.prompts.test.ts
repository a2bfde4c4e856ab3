import { describe, expect, it } from 'vitest';
import { cards, U_LEAD, until } from '../support.ts';
import { directOf, heard, talking } from '../talking.ts';

/* The suggested prompts of a conversation, through signed requests of Slack. */

const REFUSED = { error: 'not_allowed_token_type' };
const methods = (s: Awaited<ReturnType<typeof talking>>, method: string) => s.ws.calls(method);

describe('opening the messages', () => {
  it('answers without prompts where Slack refuses them, and tries them once', async () => {
    const s = await talking();
    s.ws.fail('assistant.threads.setSuggestedPrompts', REFUSED, 100);
    const channel = directOf(s, U_LEAD);
    for (let i = 0; i < 2; i += 1) {
      await s.ws.openChannel({ user: U_LEAD, channel });
      await s.settled();
    }
    expect(methods(s, 'assistant.threads.setSuggestedPrompts')).toHaveLength(1);
    s.model.answers({ text: 'All the same.' });
    await heard(s, await s.say('hello there', { user: U_LEAD }), 'All the same.');
  });

  it('sets prompts that fit, answered from the ledger', async () => {
    const s = await talking();
    const channel = directOf(s, U_LEAD);
    await s.type('/numbers', 'cancel +12015550103');
    await until(() => cards(s.ws).length > 0, 'a card');
    await s.ws.openChannel({ user: U_LEAD, channel });
    await until(() => s.ws.state.sessions.prompts(channel) !== undefined, 'prompts');
    const prompts = s.ws.state.sessions.prompts(channel)?.prompts ?? [];
    expect(prompts[0]?.title).toBe('What waits for me (1)');
    const thread = await s.say(prompts[0]?.message ?? '', { user: U_LEAD });
    await heard(s, thread, /1 to decide.*Cancel/s);
    expect(s.model.requests).toEqual([]);
  });
});
