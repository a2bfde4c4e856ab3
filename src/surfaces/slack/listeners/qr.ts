import type { Actor } from '../../../lib/actor.ts';
import { refusalMessage } from '../blocks/notices.ts';
import { notice } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { actionSource, openQr, type QrSource } from '../flows/esim.ts';
import type { Reply } from '../flows/reply.ts';
import type { Click } from './click.ts';
import { storedFor } from './results.ts';

/**
 * Handles "Show QR code", under an action's activation code or under an answer. The person's access is checked at each
 * press.
 */
export async function showQr(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const [source = '', index = '0'] = click.value.split('|');
  const found = /^act_[\w-]{10,64}$/.test(source)
    ? await fromAction(slack, click, source, reply)
    : await fromAnswer(slack, click, reply);
  if (!found) return;
  const { triggerId } = click.origin;
  try {
    if (triggerId === undefined) throw new Error('Slack sent no trigger');
    const isInForm = click.view !== undefined;
    await openQr(slack, { ...found, index: Number.parseInt(index, 10) || 0, triggerId, isInForm });
  } catch (error) {
    slack.log('warn', { error: String(error) }, 'failed to open the window of a QR code');
    await reply.add(notice('⚠️', 'Slack did not open the window. Press the button again.'));
  }
}

interface Found {
  source: QrSource;
  actor: Actor;
}

async function fromAction(slack: SlackContext, click: Click, id: string, reply: Reply): Promise<Found | undefined> {
  const member = await slack.roles.admit(click.origin, 'viewer');
  if ('refused' in member) {
    await reply.add(refusalMessage(member.refused));
    return undefined;
  }
  const source = await actionSource(slack, id, member.actor);
  if (source) return { source, actor: member.actor };
  await reply.add(
    notice('🔒', 'The activation code of an eSIM is shown to operators, the requester and the person who confirmed.'),
  );
  return undefined;
}

async function fromAnswer(slack: SlackContext, click: Click, reply: Reply): Promise<Found | undefined> {
  const member = await slack.roles.admit(click.origin, 'operator');
  if ('refused' in member) {
    await reply.add(refusalMessage(member.refused));
    return undefined;
  }
  const stored = await storedFor(slack, click, reply);
  return stored && { source: { kind: 'stored', result: stored.result }, actor: stored.actor };
}
