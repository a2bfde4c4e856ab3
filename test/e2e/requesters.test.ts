import { expect, it } from 'vitest';
import { IDS } from '../../src/demo/playground/workspace.ts';
import { makeFolder } from '../support/folder.ts';
import { controlSandbox } from '../support/on-sandbox.ts';
import { confirm, signIn } from '../support/page.ts';
import { seeded } from '../support/seed.ts';
import { surroundings } from '../support/slack-process.ts';
import { type Json, until, value } from '../support/world.ts';
import { first } from '../surfaces/mcp/clients.ts';

/* Somebody is taken off the operators, and a token is withdrawn, while their questions wait. */

const { U_AGENT, U_LEAD, C_APPROVALS, C_SUPPORT } = IDS;
const LOST = 'may not ask for it any more';

const folder = makeFolder();
const around = await surroundings();

it('is not done by the yes of an approver, who is told why', async () => {
  const { ws, sandbox } = around;
  const shared = { DATA_DIR: folder, CONFIRM_VIA: 'slack,page', MCP_HTTP_TOKENS: 'lee:approver:token-of-lee' };
  const card = () => ws.messages(C_APPROVALS).find(({ blocks }) => JSON.stringify(blocks).includes(seeded(3)));
  const shown = () => JSON.stringify(card()?.blocks ?? '');

  const before = await around.start({
    ...shared,
    SLACK_OPERATORS: U_AGENT,
    MCP_HTTP_TOKENS: `${shared.MCP_HTTP_TOKENS},desk:operator:token-of-desk`,
  });
  ws.setRequestUrl(before.events);
  await ws.command({ user: U_AGENT, channel: C_SUPPORT, command: '/numbers', text: `cancel ${seeded(3)}` });
  await until(() => shown().includes('sb_confirm'), 'the card for the approvers');
  const client = await first()({ kind: 'http', url: before.url, token: 'token-of-desk' });
  const { confirmation } = value(await client.call('numbers_cancel', { PhoneNumbers: [{ Number: seeded(4) }] }));
  await client.close();
  await before.running.stop();

  const after = await around.start({ ...shared, SLACK_OPERATORS: '' });
  ws.setRequestUrl(after.events);
  await ws.click({ user: U_LEAD, messageTs: card()?.ts ?? '', actionId: 'sb_confirm' });
  await until(() => shown().includes(LOST), 'the reason on the card');
  const page = `${after.url}/confirm/${confirmation.id}`;
  await signIn(page, 'token-of-lee');
  expect((await confirm(page)).html).toContain(`${LOST}: their token is not in MCP_HTTP_TOKENS any more`);

  const requests = await controlSandbox(sandbox.url, 'requests');
  expect(requests.filter(({ path }: Json) => path.includes('cancel-order-submit'))).toEqual([]);
});
