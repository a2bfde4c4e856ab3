import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Given } from '../../../src/demo/playground/forms.ts';
import {
  C_SUPPORT,
  card,
  cards,
  choose,
  record,
  type Stage,
  shown,
  stage,
  U_AGENT,
  U_LEAD,
  until,
  whisper,
} from './support.ts';

const ACCOUNT = 'AID-00000000-0000-4000-8000-000000000001';

/** Opens a form by command, types into it, sends it. */
async function byForm(
  s: Stage,
  command: string,
  text: string,
  values: Record<string, Given>,
  user = U_AGENT,
): Promise<void> {
  await s.type(command, text, user);
  await until(() => s.ws.openViews(user).length === 1, 'the form');
  await choose(s, user, values);
  const form = s.ws.openViews(user)[0];
  for (const block of (form?.definition.blocks ?? []) as Record<string, unknown>[]) {
    const value = values[String(block.block_id)];
    if (record(block.element).type !== 'external_select' || value === undefined) continue;
    await s.ws.suggest({
      user,
      view: true,
      actionId: 'sb_pick',
      blockId: String(block.block_id),
      value: String(value),
    });
  }
  const sent = await s.ws.submit({ user, values });
  expect(sent, JSON.stringify(sent.errors)).toMatchObject({ outcome: 'acked', body: '' });
}

/** The newest card, confirmed by the approver, once it has ended. */
async function confirmed(s: Stage, count: number): Promise<string> {
  await until(() => cards(s.ws).length === count, `card ${count}`);
  const { ts } = await card(s.ws);
  await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
  await until(() => /Done|Failed|unknown/.test(s.ws.message(ts)?.text ?? ''), 'the end');
  await s.settled();
  return shown(s.ws.message(ts));
}

describe('a day’s work', () => {
  it('can be done from Slack, and leaves no secret in a payload, a log line or a file', async () => {
    const s = await stage();
    const PASSWORD = 'Zebra-Crossing-77';
    const TOKEN = 'wh-token-Qx81-secret';
    const CARRIER_PIN = '90817263';

    await s.type('/number', '+12015550101');
    await whisper(s.ws, U_AGENT, 'Ava Stone');

    await byForm(s, '/subscribers', 'create form', subscriber(PASSWORD));
    const created = await confirmed(s, 1);
    expect(created).toContain('✅ Done');
    expect(created).toContain('“@channel *Pat*”');

    await byForm(s, '/webhook', 'create form', {
      WebhookUrl: 'https://example.com/hook',
      SubscribedEvents: 'New_Sms',
      AuthenticationType: 'Token',
      AuthenticationToken: TOKEN,
    });
    expect(await confirmed(s, 2)).toContain('✅ Done');

    await s.type('/message', 'outbound To=+12015550199 From=+12015550101 Body="<!channel> *hello*"');
    expect(await confirmed(s, 3)).toContain('✅ Done');

    await s.type('/numbers', 'data usage set +12015550101 LimitValue=20000');
    const { ts: own } = await whisper(s.ws, U_AGENT, 'Set the data limits of +12015550101: apply?');
    await s.ws.click({ user: U_AGENT, messageTs: own, actionId: 'sb_confirm' });
    await whisper(s.ws, U_AGENT, '✅ Done: Set');

    await byForm(s, '/numbers', 'portin form', {
      PortInNumber: '+13125550150',
      CurrentCarrierName: 'Lakeside & Sons <!here>',
      CurrentAccountNumber: '46512222',
      CurrentAccountPassword: CARRIER_PIN,
      'CurrentBillingAddress.Street1': '1 Main St',
      'CurrentBillingAddress.City': 'Chicago',
      'CurrentBillingAddress.State': 'IL',
      'CurrentBillingAddress.Zip': '60601',
      AccountId: ACCOUNT,
    });
    const ported = await confirmed(s, 4);
    expect(ported).toContain('✅ Done');

    await s.type('/numbers', 'cancel +12015550103');
    expect(await confirmed(s, 5)).toContain('✅ Done');
    await s.type('/numbers', `reactivate +12015550107 AccountId=${ACCOUNT}`);
    expect(await confirmed(s, 6)).toContain('✅ Done');
    await s.type('/numbers', 'portout +12015550105');
    expect(await confirmed(s, 7)).toContain('✅ Done');
    const pin = /"text":"(\d{6})"/.exec(shown(await whisper(s.ws, U_LEAD, 'Shown once')))?.[1] ?? 'none';

    const sent = s.ws.bytesFromApp().map(({ text }) => text);
    const files = readdirSync(s.dir).map((name) => readFileSync(join(s.dir, name), 'latin1'));
    const places = [sent.filter((text) => !text.includes('Shown once')).join('\n'), s.logged.join('\n'), ...files];
    for (const secret of [PASSWORD, TOKEN, CARRIER_PIN, pin, 'AuthCode', 'xoxb-playground-bot', 'sandbox-secret']) {
      for (const place of places) expect(place.includes(secret), `${secret} stands somewhere`).toBe(false);
    }
    expect(sent.filter((text) => text.includes(pin))).toHaveLength(1);

    // Text from outside stays plain text. A name cannot bring Slack's markup along.
    for (const message of s.ws.messages(C_SUPPORT)) {
      expect(message.text).not.toMatch(/<!(channel|here)/);
      const marked = JSON.stringify(message.blocks).match(/\{"type":"mrkdwn"[^}]*\}/g) ?? [];
      expect(marked.join('')).not.toMatch(/<!(channel|here)/);
    }
    expect(s.ws.warnings()).toEqual([]);
  });
});

function subscriber(password: string): Record<string, Given> {
  return {
    AccountId: ACCOUNT,
    Name: '<!channel> *Pat*',
    Role: 'Subscriber',
    Email: 'pat@example.com',
    Password: password,
  };
}
