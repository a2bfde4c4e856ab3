import { mkdirSync, writeFileSync } from 'node:fs';
import { it } from 'vitest';
import { renderToHtmlDocument } from '../../src/demo/playground/render.ts';
import { U_AGENT, U_LEAD, U_VIEW } from '../surfaces/slack/ids.ts';
import { decline, stage, until } from '../surfaces/slack/support.ts';

it.runIf(process.env.PICTURES)('draws', async () => {
  const out = process.env.PICTURES ?? '/tmp/pics';
  mkdirSync(out, { recursive: true });
  const s = await stage();
  const draw = (name: string, thing: Parameters<typeof renderToHtmlDocument>[0] | undefined) =>
    thing && writeFileSync(`${out}/${name}.html`, renderToHtmlDocument(thing));
  await s.type('/numbers', 'cancel +12015550103');
  draw('cancel', await s.card());
  const { ts } = await s.card();
  await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
  await s.settled();
  draw('cancelled', s.ws.message(ts));
  await s.type('/numbers', 'reactivate +12015550107 AccountId=AID-00000000-0000-4000-8000-000000000001');
  await until(() => s.cards().length === 2);
  draw('reactivate', s.cards()[1]);
  await decline(s, { user: U_LEAD, messageTs: s.cards()[1]?.ts ?? '' });
  await s.settled();
  await s.type('/number', '+12015550101', U_VIEW);
  draw('lookup', await s.whisper('"type":"header"', U_VIEW));
  await s.type('/numbers', 'portin form', U_AGENT);
  await until(() => s.ws.openViews(U_AGENT).length === 1);
  draw('portin', s.ws.openViews(U_AGENT)[0]);
  await s.type('/numbers', 'inventory', U_VIEW);
  draw('inventory', await s.whisper('"type":"data_table"', U_VIEW));
  const ends = async (name: string, line: string, act: (ts: string) => Promise<unknown>) => {
    const before = s.cards().length;
    await s.type('/numbers', line);
    await until(() => s.cards().length === before + 1);
    const { ts } = await s.card();
    await act(ts);
    await s.settled();
    draw(name, s.ws.message(ts));
  };
  const account = 'AccountId=AID-00000000-0000-4000-8000-000000000001';
  const press = (actionId: string) => (ts: string) => s.ws.click({ user: U_LEAD, messageTs: ts, actionId });
  await ends('failed', `reactivate +12015550108 ${account}`, press('sb_confirm'));
  await ends('declined', 'cancel +12015550105', (ts) => decline(s, { user: U_LEAD, messageTs: ts }));
  await s.control('faults', { path: '/v1.0/numbers/reactivate', times: 1, dropAfterCommit: true });
  await ends('unknown', `reactivate +12015550107 ${account}`, press('sb_confirm'));
  await s.type('/numbers', 'cancel +12015550106', U_VIEW);
  draw('refused', await s.whisper('needs the role', U_VIEW));
  await s.type('/numbers', 'get +19995550000', U_VIEW);
  draw('notfound', await s.whisper('❌', U_VIEW));
  await s.ws.openHome({ user: U_LEAD });
  await until(() => s.ws.home(U_LEAD) !== undefined);
  draw('home', s.ws.home(U_LEAD));
  await s.type('/numbers', '', U_VIEW);
  draw(
    'help',
    s.ws
      .messages('C000SUPPORT')
      .filter((m) => m.ephemeralTo === U_VIEW)
      .at(-1),
  );
});
