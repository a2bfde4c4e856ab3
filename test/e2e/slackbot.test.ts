import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder } from '../support/folder.ts';
import { type Running, startCli } from '../support/process.ts';
import { until } from '../support/world.ts';

describe('Slackbot in the playground of `switchboard start`', () => {
  const folder = makeFolder();
  let running: Running;
  let url = '';
  let token = '';

  beforeAll(async () => {
    running = startCli(['start'], folder.path, { PORT: '0' });
    url = (await running.said(/listens on (\S+)/))[1] ?? '';
    await running.said(/MCP +/);
    const page = await fetch(`${url}/playground`);
    token = /data-token="(\w+)"/.exec(await page.text())?.[1] ?? '';
  });
  afterAll(async () => {
    await running.stop('SIGKILL');
    folder.remove();
  });

  const state = async (user: string, channel: string) => {
    const query = new URLSearchParams({ user, channel, since: '-1' });
    const answer = await fetch(`${url}/playground/state?${query}`, { headers: { 'x-playground-token': token } });
    return (await answer.json()) as { list: string; title: string };
  };
  const act = async (body: Record<string, unknown>) =>
    fetch(`${url}/playground/do`, {
      method: 'POST',
      headers: { 'x-playground-token': token, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('answers a question with the card, and posts the card of a gated call, which another person confirms', async () => {
    const [ana, lee, room, approvals] = ['U000AGENT', 'U000LEAD', 'DSB000AGENT', 'C000APPROVE'];
    // The first look makes the conversation.
    await state(ana, 'C000SUPPORT');
    expect((await state(ana, room)).title).toBe('Slackbot');
    await act({ kind: 'say', user: ana, channel: room, text: 'why can’t +12015550101 text?' });
    expect((await state(ana, room)).list).toContain('(201) 555-0101');
    await act({ kind: 'say', user: ana, channel: room, text: 'reactivate +12015550107' });
    expect((await state(ana, room)).list).toContain('does not confirm this');
    const { list } = await state(lee, approvals);
    const [, ts] = /data-ts="([^"]+)"(?![\s\S]*data-ts)/.exec(list) ?? [];
    const [, block] = /data-block="(card:[^"]+)"/.exec(list) ?? [];
    const value = block?.slice('card:'.length);
    await act({ kind: 'click', user: lee, messageTs: ts, actionId: 'sb_confirm', blockId: block, value });
    await until(async () => (await state(lee, approvals)).list.includes('confirmed by'), 'the card with its outcome');
    await act({ kind: 'say', user: ana, channel: room, text: `what became of ${value}?` });
    expect((await state(ana, room)).list).toContain('confirmed by');
    // The other person does not see the conversation.
    expect((await state(lee, room)).title).toBe('#support');
  });
});
