import { afterAll, beforeAll, expect, it } from 'vitest';
import { IDS } from '../../src/demo/playground/workspace.ts';
import { DAY_MS } from '../../src/lib/clock.ts';
import { makeFolder } from '../support/folder.ts';
import { runCli } from '../support/process.ts';
import { type Surroundings, surroundings } from '../support/slack-process.ts';
import { describeWithPostgres, makeSchema } from '../support/stores.ts';
import { confirm, look, signIn, until } from '../support/world.ts';

/* Two approvers on two processes, one in Slack and one on the page, while a third one is away. */

const { U_AGENT, U_LEAD, U_VIEW, U_OTHER, C_SUPPORT } = IDS;
const SUBMIT = '/numbers/cancel-order-submit';

describeWithPostgres('two approvers of two processes', () => {
  let around: Surroundings;
  beforeAll(async () => {
    around = await surroundings();
  });
  afterAll(() => around?.close());

  it('say yes one after the other, and the person who is away is not asked', async () => {
    const { ws, sandbox } = around;
    const schema = await makeSchema();
    const folder = makeFolder();
    const env = {
      DATABASE_URL: schema.url,
      SEALING_KEY: Buffer.alloc(32, 7).toString('base64'),
      SLACK_APPROVERS: [U_LEAD, U_VIEW].join(','),
      SLACK_APPROVALS_CHANNEL: '',
      CONFIRM_VIA: 'slack,page',
      CONFIRM_QUORUM: 'destroy:2',
      CONFIRM_TWO_PERSON: 'true',
      MCP_HTTP_TOKENS: 'lee:approver:token-of-lee',
    };
    try {
      const one = await around.start(env);
      const other = await around.start(env);
      ws.setRequestUrl(one.events);
      const until2d = new Date(Date.now() + 2 * DAY_MS).toISOString();
      const args = ['approvers', 'away', U_VIEW, '--until', until2d, '--instead', U_LEAD];
      expect(await runCli(args, folder.path, { ...around.env, ...env })).toMatchObject({ code: 0, err: '' });

      await ws.command({ user: U_AGENT, channel: C_SUPPORT, command: '/numbers', text: 'cancel +12015550103' });
      const direct = (user: string) => ws.messages(`D${user.slice(1)}`).filter((message) => !message.ephemeralTo);
      const shown = (user: string) => JSON.stringify(direct(user)[0]?.blocks ?? '');
      await until(() => shown(U_LEAD).includes('sb_confirm'), 'the message to the approver who is there');
      expect(shown(U_LEAD)).toContain('Away: ');
      await ws.click({ user: U_LEAD, messageTs: direct(U_LEAD)[0]?.ts ?? '', actionId: 'sb_confirm' });
      await until(() => shown(U_LEAD).includes('1 of 2'), 'the first yes');
      const sent = async () => {
        const all = (await (await fetch(`${sandbox.url}/sandbox/requests`)).json()) as { path: string }[];
        return all.filter(({ path }) => path.includes(SUBMIT)).length;
      };
      expect(await sent()).toBe(0);

      const id = /act_[\w-]{10,}/.exec(shown(U_LEAD))?.[0] ?? '';
      const page = `${other.events.replace('/slack/events', '')}/confirm/${id}`;
      await signIn(page, 'token-of-lee');
      expect((await look(page)).html).toMatch(/1 of 2: slack:[^ ]+ \(@[^)]+\) said yes at <time/);
      expect((await confirm(page)).html).toContain('token:lee (lee)');
      await until(() => shown(U_LEAD).includes(' and token:lee (lee)'), 'both names on the message');
      expect(await sent()).toBe(1);
      expect([direct(U_VIEW), direct(U_OTHER)]).toEqual([[], []]);
    } finally {
      folder.remove();
      await schema.drop();
    }
  });
});
