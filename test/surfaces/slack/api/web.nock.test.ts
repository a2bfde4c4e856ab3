import { describe, expect, it } from 'vitest';
import {
  ACCOUNT,
  asked,
  buttonOf,
  confirm,
  GONE,
  hook,
  knowsAna,
  LINK,
  lee,
  no,
  of,
  ok,
  posted,
  REACTIVATE,
  REACTIVATED,
  scene,
  sent,
  slack,
  story,
  TS,
  text,
  times,
} from '../nock-support.ts';
import { U_AGENT } from '../support.ts';

describe('a response_url that accepts no answer', () => {
  it('never turns a secret into a direct message', async () => {
    const s = await scene();
    const card = await asked(s, 'portout +12015550105');
    slack('users.info', lee);
    slack('chat.update', ...times(2, ok()));
    hook('/actions/2', { status: 404, body: { ok: false, error: 'expired_url' } });
    // The secret, the word that it cannot be shown, and the asker's.
    slack('chat.postEphemeral', ...times(2, no('user_not_in_channel')), ok());
    slack('conversations.open', ok({ channel: { id: 'D000LEAD' } }));
    slack('chat.postMessage', posted('D000LEAD', TS));
    slack('chat.getPermalink', LINK);
    await confirm(s, card);
    await s.settled();
    const tried = of('response_url')[0];
    const pin = /"text":"(\d{6})"/.exec(text(tried))?.[1] ?? 'none';
    expect(pin).toMatch(/^\d{6}$/);
    expect(sent.filter((one) => text(one).includes(pin)).map(({ method }) => method)).toEqual([
      'response_url',
      'chat.postEphemeral',
    ]);
    expect(text(of('chat.postMessage')[0])).toContain('could not show it to you alone');
    expect(await s.requests('portout')).toHaveLength(1);
    expect(await s.state()).toBe('done');
  });
});

describe('a form that does not open', () => {
  it.each(['expired_trigger_id', 'internal_error'])('keeps the input behind a button: %s', async (error) => {
    const s = await scene();
    knowsAna();
    slack('views.open', no(error));
    hook('/commands/1', ok());
    expect(await s.command(`${REACTIVATE} form`)).toBe('');
    await s.settled();
    expect(story()).toEqual(['views.open', 'response_url']);
    expect(of('views.open')[0]?.args.trigger_id).toBe('trigger-1');
    const [told] = of('response_url');
    expect(told?.args.response_type).toBe('ephemeral');
    expect(text(told)).toContain('The form could not be opened. What you typed is kept:');
    const value = buttonOf(told, 'sb_form');
    // The button carries a handle instead of the typed text.
    expect(value).not.toContain(REACTIVATED);

    sent.length = 0;
    slack('views.open', no(error), ok({ view: { id: 'V1' } }));
    hook('/actions/2', ok());
    await s.click({ user: U_AGENT, ts: '1700000009.000100', actionId: 'sb_form', value });
    await s.settled();
    expect(story()).toEqual(['views.open', 'response_url']);
    expect(text(of('response_url')[0])).toContain('Press the button again');
    await s.click({ user: U_AGENT, ts: '1700000009.000100', actionId: 'sb_form', value });
    await s.settled();
    const view = JSON.stringify(of('views.open').at(-1)?.args.view);
    expect(of('views.open').at(-1)?.args.trigger_id).toBe('trigger-3');
    expect(view).toContain(REACTIVATED);
    expect(view).toContain(ACCOUNT);
    expect(await s.number(REACTIVATED)).toMatchObject(GONE);
    expect(await s.requests()).toEqual([]);
    expect(await s.gate.actions.list({})).toEqual([]);
  });
});
