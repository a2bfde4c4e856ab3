import { describe, expect, it } from 'vitest';
import { objects } from '../../../../src/demo/playground/types.ts';
import type { MessageEvent } from '../../../../src/events/parse.ts';
import { event } from '../../../events/support.ts';
import {
  C_APPROVALS,
  C_EVENTS,
  record,
  type Stage,
  type StageSettings,
  shown,
  stage,
  U_AGENT,
  U_LEAD,
  until,
} from '../support.ts';

/* "Reply" on an inbound message: a form of one field, and a confirmation in the thread of the message. */

const OURS = '+12015550101';
const THEIRS = '+12015550199';

/** Shows an inbound message in the events channel, and lets Ana press Reply. */
async function opened(settings: StageSettings = {}): Promise<{ s: Stage; channel: string; root: string }> {
  const s = await stage({ SLACK_EVENTS_CHANNEL: C_EVENTS, ...settings });
  const channel = settings.SLACK_EVENTS_CHANNEL ?? C_EVENTS;
  const inbound = { MessageId: 'TMID-1', Direction: 'INBOUND', From: THEIRS, To: OURS, Body: 'Is it ready?' };
  await s.slack.openEvents(s.store.database('slack-events'))?.message(event(inbound) as MessageEvent);
  const root = s.ws.messages(channel).find(({ threadTs }) => !threadTs)?.ts ?? '';
  await s.ws.click({ user: U_AGENT, messageTs: root, actionId: 'sb_fill' });
  await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
  return { s, channel, root };
}

function inputs(s: Stage): unknown[] {
  return objects(s.ws.openViews(U_AGENT)[0]?.definition.blocks).flatMap(({ type, block_id }) =>
    type === 'input' ? [block_id] : [],
  );
}

function replies(s: Stage, channel: string, root: string) {
  return s.ws.messages(channel).filter((message) => message.threadTs === root && message.ephemeralTo === undefined);
}

describe('a reply to an inbound message', () => {
  it('asks for the text alone, and for media where they are wanted', async () => {
    const { s } = await opened();
    const text = () => JSON.stringify(s.ws.openViews(U_AGENT)[0]?.definition.blocks);
    expect(inputs(s)).toEqual(['Body']);
    for (const part of ['Is it ready?', '(201) 555-0199', '(201) 555-0101', 'Nothing is sent before'])
      expect(text()).toContain(part);
    await s.ws.click({ user: U_AGENT, view: true, actionId: 'sb_more' });
    await until(() => inputs(s).length === 2, 'the media');
    expect(inputs(s)).toEqual(['Body', 'MmsMedia']);
    expect(text()).toContain('Is it ready?');
    const empty = await s.ws.submit({ user: U_AGENT, values: { Body: 'Yes', MmsMedia: 'http://example.com/1.jpg' } });
    expect(Object.keys(empty.errors ?? {})).toEqual(['MmsMedia']);
    await s.ws.submit({ user: U_AGENT, values: { MmsMedia: 'https://example.com/1.jpg' } });
    await s.settled();
    expect((await s.gate.actions.list({ limit: 1 }))[0]?.shown).toEqual({
      To: [{ Number: THEIRS }],
      From: OURS,
      Body: 'Yes',
      MmsMedia: [{ MediaUrl: 'https://example.com/1.jpg' }],
    });
    expect(s.ws.warnings()).toEqual([]);
  });

  it.each([
    ['an own channel', C_EVENTS],
    ['the channel of the approvers', C_APPROVALS],
  ])('is confirmed in the thread of the message in %s, and approvers are told', async (_, SLACK_EVENTS_CHANNEL) => {
    const { s, channel, root } = await opened({ SLACK_EVENTS_CHANNEL });
    await s.ws.submit({ user: U_AGENT, values: { Body: 'Yes, tomorrow.' } });
    const cardOf = () => replies(s, channel, root).find((message) => shown(message).includes('Send message'));
    await until(() => cardOf() !== undefined, 'the card');
    // A card in a thread is seen by few.
    const asked = () =>
      s.ws
        .messages(C_APPROVALS)
        .filter(({ threadTs, ephemeralTo }) => !threadTs && ephemeralTo === undefined)
        .filter((message) => shown(message).includes('Yes, tomorrow.'));
    await until(() => asked().length === 1, 'the message to approvers');
    await until(() => shown(cardOf()).includes('Asked:'), 'who was told');
    await s.ws.click({ user: U_LEAD, messageTs: cardOf()?.ts ?? '', actionId: 'sb_confirm' });
    await until(() => replies(s, channel, root).some((message) => shown(message).includes('✅ Done')), 'the end');
    await until(() => asked().every((message) => shown(message).includes('✅ Done')), 'the end for approvers');
    const { messages } = record(await s.control('state'));
    expect(JSON.stringify(messages)).toContain('Yes, tomorrow.');
  });
});
