import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Message, View } from '../../../../src/demo/playground/types.ts';
import { objects } from '../../../../src/demo/playground/types.ts';
import { qrPng } from '../../../../src/lib/qr.ts';
import { isOnPostgres } from '../../../support/ledger.ts';
import { C_APPROVALS, C_SUPPORT, S_OPERATORS, U_AGENT, U_LEAD, U_VIEW } from '../ids.ts';
import { record, type Stage, shown, stage, until } from '../support.ts';

const PROVISION =
  'provision MessageRouteId=MRID-00000000-0000-4000-8000-000000000001 NumberType=mvno MessageType=a2p ProductType=sms+data+voice MessageEnabled=yes VoiceEnabled=no AreaCode=201 ICCID=8901240397190556232';
const LINK = /https:..example\.invalid.esim.NID-[\w-]+/;
/** Longer than a picture stays in Slack, and the time until the next look for one that is due. */
const OVER_MS = 6 * 60_000;

/** Ana asks for an eSIM and Lee confirms. */
async function provisioned(s: Stage): Promise<{ agent: Message; lead: Message }> {
  await s.type('/numbers', PROVISION);
  await s.confirm();
  const [agent, lead] = [await s.whisper('Shown only'), await s.whisper('Shown only', U_LEAD)];
  await s.settled();
  return { agent, lead };
}

const windowOf = (s: Stage, user: string): View | undefined => s.ws.openViews(user).at(-1);
const text = (view: View | undefined): string => JSON.stringify(view?.definition.blocks ?? '');
const fileIn = (view: View | undefined): string => {
  const image = objects(view?.definition.blocks).find(({ type }) => type === 'image');
  return String(record(image?.slack_file).id);
};

/** Presses the button, and waits until the window says this. */
async function opened(s: Stage, user: string, messageTs: string, says: string, actionId = 'sb_qr'): Promise<View> {
  await s.ws.click({ user, messageTs, actionId });
  await until(() => text(windowOf(s, user)).includes(says), `a window that says ${says}: ${text(windowOf(s, user))}`);
  await s.settled();
  const view = windowOf(s, user);
  if (!view) throw new Error('no window');
  return view;
}

const DELETED = 'The picture is deleted from Slack when you close this window';
const reads = async (s: Stage) => (await s.requests()).filter(({ path }) => path === '/v1.0/numbers').length;
const deletions = (s: Stage) => s.ws.calls('files.delete').map(({ args }) => args.file);

describe('the QR code of an eSIM in Slack', () => {
  it('is a picture for the requester and the person who confirmed, until they close it or five minutes are over', async () => {
    const s = await stage();
    const { agent, lead } = await provisioned(s);
    for (const [user, message] of [
      [U_AGENT, agent],
      [U_LEAD, lead],
    ] as const) {
      const before = await reads(s);
      const view = await opened(s, user, message.ts, DELETED);
      const code = LINK.exec(text(view))?.[0] ?? '';
      expect(shown(message)).toContain(code);
      // Read from the platform at this press.
      expect(await reads(s)).toBe(before + 1);
      const file = s.ws.state.files.find(fileIn(view));
      expect(file?.data?.equals(qrPng(code, 8) ?? Buffer.alloc(0))).toBe(true);
      // Only the app has the file, and its name says nothing.
      expect([file?.name, file?.title, file?.channels]).toEqual(['esim.png', 'eSIM', []]);
      const image = objects(view.definition.blocks).find(({ type }) => type === 'image');
      expect(image?.alt_text).toMatch(/^QR code of the eSIM of \+1201\d{7}$/);
      expect(text(view)).toContain('Settings › Add eSIM');

      if (user === U_AGENT) await leaksNothing(s, [agent, lead], view);
      // One closes the window, and the other leaves it open.
      if (user === U_AGENT) await s.ws.closeView({ user, viewId: view.id });
      else s.clock.skip(OVER_MS);
      await until(() => s.ws.state.files.wasDeleted(file?.id ?? ''), 'the file is deleted');
    }
    expect(await s.opened(U_LEAD, 'removed after five minutes')).not.toMatch(LINK);
    await s.settled();
    s.clock.skip(OVER_MS);
    await s.settled();
    expect(deletions(s)).toHaveLength(2);
  });

  /** Expects the code in no file, no log, no button, no channel and no direct message. */
  async function leaksNothing(s: Stage, messages: Message[], view: View): Promise<void> {
    const code = LINK.exec(text(view))?.[0] ?? 'none';
    expect(s.logged.join('\n')).not.toContain(code);
    if (!isOnPostgres) {
      const files = readdirSync(s.dir).map((name) => readFileSync(join(s.dir, name), 'latin1'));
      expect(files.join('')).toContain(fileIn(view));
      expect(files.filter((bytes) => bytes.includes(code))).toEqual([]);
    }
    for (const { blocks } of messages) {
      const buttons = blocks.filter(({ type }) => type === 'actions');
      expect(buttons).not.toEqual([]);
      expect(JSON.stringify(buttons)).not.toContain(code);
    }
    const stored = [C_SUPPORT, C_APPROVALS, 'D000AGENT', 'D000LEAD'].flatMap((channel) => s.ws.messages(channel));
    const lasting = stored.filter(({ ephemeralTo }) => ephemeralTo === undefined);
    expect(lasting).not.toEqual([]);
    expect(lasting.map(shown).join()).not.toMatch(LINK);
    const calls = s.ws.calls().filter(({ method }) => method.startsWith('files.'));
    expect(calls.map(({ method }) => method)).toEqual(['files.getUploadURLExternal', 'files.completeUploadExternal']);
    expect(JSON.stringify(calls)).not.toContain(code);
  }

  it('is that of the change while the platform cannot be read', async () => {
    const s = await stage();
    const { agent } = await provisioned(s);
    await s.control('faults', { path: '/v1.0/numbers', status: 400, times: 1 });
    const view = await opened(s, U_AGENT, agent.ts, 'The number could not be read just now');
    expect(shown(agent)).toContain(LINK.exec(text(view))?.[0] ?? 'a code');
  });

  it('is refused to anybody else', async () => {
    const s = await stage();
    const { agent } = await provisioned(s);
    const button = agent.blocks.flatMap(({ elements }) => objects(elements)).find((one) => one.action_id === 'sb_qr');
    await s.type('/number', '0101', U_VIEW);
    await s.pressOld(await s.whisper('Active', U_VIEW), 'sb_qr', String(button?.value), U_VIEW);
    await s.whisper('shown to operators, the requester and the person who confirmed', U_VIEW);
    expect([s.ws.calls('views.open'), s.ws.calls('files.getUploadURLExternal')]).toEqual([[], []]);
  });

  it('is refused to somebody who was an operator until just before', async () => {
    const s = await stage({ SLACK_VIEWERS: ['*'] });
    s.ws.state.groups.get(S_OPERATORS)?.users.push(U_VIEW);
    await provisioned(s);
    const { ts } = await s.card();
    await s.type('/number', '2000', U_VIEW);
    const line = await s.whisper('sb_qr', U_VIEW);
    s.ws.state.groups.get(S_OPERATORS)?.users.splice(0);
    for (const [messageTs, says] of [
      [ts, 'shown to operators, the requester and the person who confirmed'],
      [line.ts, 'This needs the role operator'],
    ] as const) {
      s.clock.skip(10_000);
      await s.ws.click({ user: U_VIEW, messageTs, actionId: 'sb_qr' });
      await s.whisper(says, U_VIEW);
    }
    await s.quiet();
    expect([s.ws.calls('views.open'), s.ws.calls('files.getUploadURLExternal')]).toEqual([[], []]);
  });

  it('waits for a phone in the lookup and the diagnosis, and the card of its line and of its purchase show it', async () => {
    const s = await stage();
    await s.type('/numbers', PROVISION.replace(/ ICCID=\d+/, ''));
    const { ts } = await s.confirm();
    const bought = await s.whisper('Shown only');
    const phone = /\((\d{3})\) (\d{3})-(\d{4})/.exec(shown(bought))?.slice(1).join('') ?? '';
    const code = LINK.exec(shown(bought))?.[0] ?? 'none';
    for (const words of [`+1${phone}`, `why +1${phone}`]) {
      await s.type('/numbers', words);
      const answer = await s.whisper(words.startsWith('why') ? '1. ' : 'Route');
      expect(shown(answer)).toContain('ts eSIM waits for a phone to scan its activation code');
      expect(shown(answer)).not.toContain('SIM is bound');
      if (!words.startsWith('why')) expect(text(await opened(s, U_AGENT, answer.ts, DELETED))).toContain(code);
    }
    expect(text(await opened(s, U_AGENT, ts, DELETED))).toContain(code);
  });

  it('is no matter of a line without a SIM: its form asks for what it lacks alone', async () => {
    const s = await stage();
    const made = await s.client.send({
      ...{ method: 'POST', path: '/v1.0/numbers/provision', read: false, resend: false, priority: 'person' },
      deadline: s.clock.now() + 600_000,
      input: {
        ...{ MessageRouteId: 'MRID-00000000-0000-4000-8000-000000000001', AreaCode: '201', NumberType: 'mvno' },
        ...{ MessageType: 'p2p', ProductType: 'sms+data', MessageEnabled: true, VoiceEnabled: false },
      },
    });
    await s.type('/numbers', `why ${String(record(made).PhoneNumberAssigned)}`);
    const answer = await s.whisper('No SIM is bound');
    await s.press(answer, 'sb_fill_0', U_AGENT);
    await until(() => text(windowOf(s, U_AGENT)).includes('ICCID'), 'the form');
    const inputs = objects(windowOf(s, U_AGENT)?.definition.blocks).filter(({ type }) => type === 'input');
    expect(inputs.map(({ block_id: id }) => id)).toEqual(['AssignedSubscriberId', 'Iccid']);
  });

  it('is neither shown nor offered to a viewer, under a record, a lookup or a list', async () => {
    const s = await stage();
    for (const [command, text, says] of [
      ['/numbers', 'get +12015550101', 'to operators who ask'],
      ['/number', '+12015550101', 'Active'],
      ['/numbers', 'inventory', 'Sample Line 1'],
    ] as const) {
      await s.type(command, text, U_VIEW);
      const answer = await s.whisper(says, U_VIEW);
      expect(shown(answer)).not.toMatch(LINK);
      expect(shown(answer)).not.toContain('sb_qr');
    }
    await s.settled();
    expect(
      s.ws
        .bytesFromApp()
        .map(({ text }) => text)
        .join(),
    ).not.toMatch(LINK);
  });
});
