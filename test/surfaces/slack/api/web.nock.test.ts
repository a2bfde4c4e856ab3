import { describe, expect, it } from 'vitest';
import { asked, confirm, hook, lee, no, of, ok, posted, scene, sent, slack, TS, text, times } from '../nock-support.ts';
import { C_SUPPORT } from '../support.ts';

describe('a response_url that accepts no answer', () => {
  it('never turns a secret into a direct message', async () => {
    const s = await scene();
    const card = await asked(s, 'portout +12015550105');
    slack('users.info', lee);
    slack('chat.update', ...times(2, ok()));
    hook('/actions/2', { status: 404, body: { ok: false, error: 'expired_url' } });
    // The secret, and the word that it cannot be shown.
    slack('chat.postEphemeral', ...times(2, no('user_not_in_channel')));
    slack('conversations.open', ok({ channel: { id: 'D000LEAD' } }));
    // The outcome for the requester, and the word.
    slack('chat.postMessage', posted(C_SUPPORT, '1700000002.000100'), posted('D000LEAD', TS));
    await confirm(s, card);
    await s.settled();
    const tried = of('response_url')[0];
    const pin = /"text":"(\d{6})"/.exec(text(tried))?.[1] ?? 'none';
    expect(pin).toMatch(/^\d{6}$/);
    expect(sent.filter((one) => text(one).includes(pin)).map(({ method }) => method)).toEqual([
      'response_url',
      'chat.postEphemeral',
    ]);
    expect(of('chat.postMessage').map(text).join('\n')).toContain('could not show it to you alone');
    expect(await s.requests('portout')).toHaveLength(1);
    expect(await s.state()).toBe('done');
  });
});
