import { describe, expect, it } from 'vitest';
import { CANCEL, of, posted, rateLimited, SUBMIT, scene, story, TS, takesCommand } from '../nock-support.ts';
import { C_SUPPORT, until } from '../support.ts';

describe('Slack’s rate limit', () => {
  it('delays the card as long as Slack says, and one card is posted', async () => {
    const s = await scene();
    takesCommand(rateLimited(7), posted(C_SUPPORT, TS));
    await s.command(CANCEL);
    await until(() => s.waits(7_000) === 1, 'a wait');
    expect(of('chat.postMessage')).toHaveLength(1);
    await s.pass(7_000);
    await s.settled();
    await s.polled();
    expect(story()).toEqual([
      `chat.postMessage ${C_SUPPORT}`,
      `chat.postMessage ${C_SUPPORT}`,
      `chat.getPermalink ${C_SUPPORT}`,
      'response_url',
    ]);
    expect(s.waits(7_000)).toBe(1);
    expect(await s.state()).toBe('pending');
    expect(await s.requests(SUBMIT)).toEqual([]);
  });
});
