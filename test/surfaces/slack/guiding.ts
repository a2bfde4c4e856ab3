import { expect } from 'vitest';
import type { Given } from '../../../src/demo/playground/forms.ts';
import { C_EVENTS, C_SUPPORT, U_AGENT, U_LEAD } from './ids.ts';
import { decline, record, shown, stage, until } from './support.ts';

const TOKEN = 'what-the-platform-presents-1';

/**
 * The product on a stage for guides; the platform delivers its events to us.
 *
 * @param platform its address, instead of the sandbox of the stage
 */
export async function guideStage(platform?: string) {
  const s = await stage(
    { SLACK_VIEWERS: ['*'], SLACK_EVENTS_CHANNEL: C_EVENTS },
    { events: true, env: { EVENTS_TOKEN: TOKEN }, ...(platform !== undefined && { platform }) },
  );
  const { ws, control, view } = s;
  const state = async () => record(await control('state'));
  const portins = async () =>
    ((await state()).orders as { OrderType: string; OrderId: string; OrderStatus: string }[]).filter(
      ({ OrderType }) => OrderType === 'portin',
    );
  const sees = (text: string, user: string = U_AGENT) =>
    until(() => view(user).includes(text), `${text} in ${view(user).slice(0, 1500)}`);
  /** Types into the form on top and sends it. */
  async function send(values: Record<string, Given>, user: string = U_AGENT) {
    // A guide's inputs carry a mark, so that Slack does not take one step's for another's.
    const entered = await s.fills((path) => values[path.split('~')[0] ?? ''], user);
    const sent = await ws.submit({ user, values: entered });
    expect(sent.ackMs, 'Slack waits three seconds').toBeLessThan(2_500);
    return sent;
  }
  async function approve(count: number, actionId = 'sb_confirm', channel: string = C_SUPPORT) {
    await until(() => s.cards(channel).length === count, `card ${count}`);
    const { ts } = await s.card(channel);
    if (actionId === 'sb_decline') await decline(s, { user: U_LEAD, messageTs: ts });
    else await ws.click({ user: U_LEAD, messageTs: ts, actionId });
    return ts;
  }
  /** Registers for the platform's events, as an operator does it in Slack. */
  async function listen() {
    await s.form('/webhook', 'create form');
    const authentication = { blockId: 'AuthenticationType', actionId: 'sb_value', value: 'Token' };
    await ws.click({ user: U_AGENT, view: true, ...authentication });
    await sees('AuthenticationToken');
    await send({
      WebhookUrl: `${s.url}/events/platform`,
      SubscribedEvents: ['Order_Update'],
      AuthenticationType: 'Token',
      AuthenticationToken: TOKEN,
    });
    // Events leave for another place: an approver says yes.
    expect(shown(await s.confirm())).toContain('✅ Done');
  }
  const order = () => /JNUOID-[0-9a-f-]{36}/.exec(view())?.[0] ?? '';
  const thread = () => ws.messages(C_EVENTS).filter((message) => message.threadTs);
  const root = () => ws.messages(C_EVENTS).find((message) => !message.threadTs);
  return { ...s, state, portins, sees, send, approve, listen, order, thread, root };
}
