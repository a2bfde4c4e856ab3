import { expect, it } from 'vitest';
import { changeOf } from '../../../../src/ledger/action.ts';
import { card, shown, stage, U_AGENT, whisper } from '../support.ts';

/* What a person typed after a command is what is sent. */

const SMS = 'outbound From=+12015550101 To=+12125550123';

it.each([
  ['Body="café — “ok” …"', 'café — “ok” …', undefined],
  ['Body="she said “yes”, it’s ‘fine’" reason=‘she asked for it’', 'she said “yes”, it’s ‘fine’', 'she asked for it'],
  ['reason=«elle part» Body=“hi”', 'hi', 'elle part'],
  ['Body="hi" reason=„sie „wirklich“ zieht um“', 'hi', 'sie „wirklich“ zieht um'],
  ['Body="hi" reason="it’s “urgent”"', 'hi', 'it’s “urgent”'],
  ['Body="ask <@U000LEAD|lee> &amp; <#C0HELP|help>"', 'ask @lee & #help', undefined],
])('%s', async (typed, Body, reason) => {
  const s = await stage();
  await s.type('/message', `${SMS} ${typed}`);
  await card(s.ws);
  const [action] = await s.gate.actions.list({ limit: 1 });
  if (action === undefined) throw new Error('there is no action');
  expect([changeOf(action)?.sends.Body, action.reason]).toEqual([Body, reason]);
});

it.each(['ask <@U000LEAD>', 'ask <!subteam^S000OPS>', 'in <#C0HELP>'])(
  'a text with a reference without its name is refused: %s',
  async (Body) => {
    const s = await stage();
    await s.type('/message', `${SMS} Body="${Body}"`);
    expect(shown(await whisper(s.ws, U_AGENT, 'write the name'))).toContain('Text');
    expect(await s.gate.actions.list({ limit: 1 })).toEqual([]);
    expect(await s.requests('/message/outbound')).toEqual([]);
  },
);
