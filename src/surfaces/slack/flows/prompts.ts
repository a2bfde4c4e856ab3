import { hasRole } from '../../../lib/actor.ts';
import type { SlackContext } from '../context.ts';
import type { Prompt } from '../live/agent.ts';
import type { Origin } from '../types.ts';

const PHONE = /^\+\d{7,15}$/;
/** Hours in UTC in which people ask about the night. */
const MORNING = { from: 4, to: 14 };

/** Sets the prompts on top of a conversation: open questions, the person's orders, the news, a lookup. */
export async function suggestPrompts(slack: SlackContext, origin: Origin & { channel: string }): Promise<void> {
  const membership = await slack.roles.membership(origin);
  if ('refused' in membership) return;
  const { actor } = membership;
  const { gate, home, clock } = slack;
  const own = await gate.actions.list({ actorId: actor.id, limit: 50 });
  const open = own.filter(({ state }) => state === 'pending').length;
  const waiting = hasRole(actor, 'operator') ? (await home.waitingFor(actor)).length : 0;
  const orders = await home.ordersOf(actor.id);
  const phone = own.flatMap(({ shown }) => Object.values(shown)).find((value) => PHONE.test(String(value)));
  const hour = new Date(clock.now()).getUTCHours();
  const isMorning = hour >= MORNING.from && hour < MORNING.to;
  const prompts: (Prompt | undefined)[] = [
    waiting + open > 0
      ? { title: `What waits for me (${waiting + open})`, message: 'What is waiting for me?' }
      : undefined,
    orders.length > 0 ? { title: 'My orders', message: 'Show my orders' } : undefined,
    isMorning
      ? { title: 'What happened overnight?', message: 'What happened overnight?' }
      : { title: 'What happened today?', message: 'What happened today?' },
    {
      title: phone === undefined ? 'Look up a number' : `Look up ${String(phone)}`,
      message: `Look up ${String(phone ?? '0101')}`,
    },
    { title: 'What can you do?', message: 'What can you do?' },
  ];
  await slack.agent.prompts(
    origin.channel,
    prompts.filter((one) => one !== undefined),
  );
}
