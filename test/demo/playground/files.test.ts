import { type Logger, LogLevel, webApi } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorkspace, IDS, type Workspace } from '../../../src/demo/playground/workspace.ts';
import { FakeClock } from '../../support/clock.ts';
import { plain } from './support.ts';

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const silent = () => undefined;
/** Refusals are what these tests ask for. */
const QUIET: Logger = {
  getLevel: () => LogLevel.ERROR,
  setLevel: silent,
  setName: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
};

let clock: FakeClock;
let ws: Workspace;
let slack: webApi.WebClient;

beforeEach(async () => {
  clock = new FakeClock(Date.now());
  ws = createWorkspace({ clock });
  await ws.listen();
  slack = new webApi.WebClient(ws.botToken, {
    slackApiUrl: ws.apiUrl,
    retryConfig: { retries: 0 },
    logger: QUIET,
  });
});
afterEach(() => ws.close());

const channel = IDS.C_SUPPORT;
const picture = (slackFile: object) => ({ type: 'image', alt_text: 'a code', slack_file: slackFile });
/** Posts an image block. Returns Slack's refusal, or the time stamp of the message. */
const show = (slackFile: object): Promise<string> =>
  slack.chat
    .postMessage({ channel, text: 'A code', blocks: [picture(slackFile)] as webApi.KnownBlock[] })
    .then(({ ts }) => String(ts))
    .catch(({ data }: { data: { error: string; errors: string[] } }) => `${data.error}: ${data.errors[0]}`);
const upload = async (data = PNG): Promise<string> => {
  const { ok } = await slack.filesUploadV2({ file: data, filename: 'code.png', alt_text: 'A code' });
  expect(ok).toBe(true);
  const [file] = ws.calls('files.getUploadURLExternal').slice(-1);
  return String(file?.response.file_id);
};

describe('files', () => {
  it('are uploaded in three steps by Slack’s own client, and shown in a block', async () => {
    const id = await upload();
    expect(id).toMatch(/^F[A-Z0-9]{8,}$/);
    expect(ws.calls().map(({ method }) => method)).toEqual([
      'files.getUploadURLExternal',
      'files.completeUploadExternal',
    ]);
    // Only the app sees the file.
    expect(ws.messages(channel)).toEqual([]);
    const { file } = await slack.files.info({ file: id });
    expect(file).toMatchObject({ id, mimetype: 'image/png', size: PNG.length, channels: [] });
    const ts = await show({ id });
    expect(ws.message(ts)?.blocks).toMatchObject([picture({ id })]);
    expect(await show({ url: file?.permalink })).toMatch(/^\d+\.\d+$/);
    const view = { type: 'modal', title: plain('Code'), blocks: [picture({ id })] };
    const trigger = ws.state.trigger(IDS.U_AGENT).id;
    expect((await slack.apiCall('views.open', { trigger_id: trigger, view: JSON.stringify(view) })).ok).toBe(true);
  });

  it('takes a form as well as bytes, once, of the announced size', async () => {
    const { upload_url: url = '' } = await slack.files.getUploadURLExternal({ filename: 'a.png', length: PNG.length });
    expect((await fetch(url, { method: 'POST', body: PNG.subarray(1) })).status).toBe(400);
    const form = new FormData();
    form.set('filename', new Blob([PNG]), 'a.png');
    const sent = await fetch(url, { method: 'POST', body: form });
    expect([sent.status, await sent.text()]).toEqual([200, `OK - ${PNG.length}`]);
    expect((await fetch(url, { method: 'POST', body: PNG })).status).toBe(400);
    expect((await fetch(`${url}0`, { method: 'POST', body: PNG })).status).toBe(400);
  });

  it('are refused in blocks where there is none, in the words of Slack', async () => {
    const invalid = 'invalid_blocks: invalid slack file [json-pointer:/blocks/0/slack_file]';
    expect(await show({ id: 'F0000000000' })).toBe(invalid);
    expect(await show({ url: 'https://files.slack.com/files-pri/T000DEMO-F0000000000/a.png' })).toBe(invalid);
    expect(await show({ id: 'https://x.example/a.png' })).toContain(
      'input must match regex pattern: ^[F][A-Z0-9]{8,}$',
    );
    expect(await show({})).toContain('exactly one of id and url');
    expect(await show({ id: await upload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')) })).toBe(invalid);
    const { file_id: id = '' } = await slack.files.getUploadURLExternal({ filename: 'a.png', length: PNG.length });
    expect(await show({ id })).toBe(invalid);
    await expect(slack.files.completeUploadExternal({ files: [{ id }] })).rejects.toThrow('file_not_found');
  });

  it('are gone after files.delete; a message that shows one keeps its text', async () => {
    const id = await upload();
    const ts = await show({ id });
    expect((await slack.files.delete({ file: id })).ok).toBe(true);
    expect(await show({ id })).toContain('invalid slack file');
    await expect(slack.files.delete({ file: id })).rejects.toThrow('file_deleted');
    await expect(slack.files.delete({ file: 'F0000000000' })).rejects.toThrow('file_not_found');
    expect(ws.message(ts)).toBeDefined();
    const update = { channel, ts, text: 'A code', blocks: [picture({ id })] as webApi.KnownBlock[] };
    await expect(slack.chat.update(update)).rejects.toThrow('invalid_blocks');
  });

  it('want the scope and a channel that the app is in', async () => {
    ws.addChannel('C000ELSE', 'else', [IDS.U_AGENT]);
    const share = { file: PNG, filename: 'a.png', initial_comment: 'Here' };
    await expect(slack.files.uploadV2({ ...share, channel_id: 'C000ELSE' })).rejects.toThrow('not_in_channel');
    await slack.files.uploadV2({ ...share, channel_id: channel });
    expect(ws.messages(channel)).toMatchObject([{ text: 'Here', files: [expect.stringMatching(/^F/)] }]);
    ws.setScopes(['chat:write']);
    await expect(upload()).rejects.toThrow('missing_scope');
  });
});
