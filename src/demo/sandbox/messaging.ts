import { type SandboxClock, SECOND, zoneless } from './clock.ts';
import { stoppedBy } from './filtering.ts';
import type { JsonObject } from './json.ts';
import type { Message, NumberRecord, Stopped } from './records.ts';
import { STATUS } from './records.ts';
import { newId } from './store.ts';
import type { World } from './world.ts';

/** Time that the carrier takes to confirm an outbound message, by the sandbox clock. */
const DELIVERY_TIME = 2 * SECOND;

/** Cost per recipient. */
const COST = { sms: 0.0045, mms: 0.015 } as const;

export interface Draft {
  from: string;
  to: string[];
  body: string;
  media: { MediaUrl: string }[];
  mms: boolean;
  owner?: string | null;
  campaign?: string | null;
}

function message(
  clock: SandboxClock,
  number: NumberRecord,
  draft: Draft,
  rest: Pick<Message, 'Direction' | 'Cost' | 'Status' | 'DeliverAt'>,
): Message {
  return {
    MessageId: newId('TMID'),
    AccountId: number.AccountId,
    Type: number.MessageType,
    CampaignId: draft.campaign ?? null,
    To: draft.to,
    From: draft.from,
    Owner: draft.owner ?? null,
    Body: draft.body,
    Region: 'United States',
    CreatedOn: zoneless(clock.now()),
    MessageType: draft.mms ? 'mms' : 'sms',
    MmsMedia: draft.media,
    ...rest,
  };
}

/** Queues an outbound message, which the carrier confirms two seconds later. */
export function queueMessage(world: World, from: NumberRecord, draft: Draft): Message {
  const row = message(world.clock, from, draft, {
    Direction: 'OUTBOUND',
    Cost: Number((COST[draft.mms ? 'mms' : 'sms'] * draft.to.length).toFixed(4)),
    Status: 'Queued',
    DeliverAt: world.clock.now() + DELIVERY_TIME,
  });
  world.store.state.messages.push(row);
  return row;
}

/** Returns the message record (PLATFORM.md, Message), as details, status callbacks and `New_Sms` carry it. */
export function messageView(row: Message): JsonObject {
  return {
    MessageId: row.MessageId,
    Direction: row.Direction,
    Type: row.Type,
    CampaignId: row.CampaignId,
    Cost: row.Cost,
    To: row.To.join(','),
    From: row.From,
    Body: row.Body,
    Region: row.Region,
    CreatedOn: row.CreatedOn,
    MessageType: row.MessageType,
    Status: row.Status,
    ...(row.MmsMedia.length > 0 && { MmsMedia: row.MmsMedia }),
  };
}

/**
 * Handles the carrier's confirmation: sends the status callback of the sender's route, and delivers the message to
 * recipients that are numbers of the platform.
 */
export function deliverMessage(world: World, row: Message): void {
  row.DeliverAt = null;
  row.Status = 'Delivered';
  const from = world.store.anyNumber(row.From);
  world.deliveries.toRoute('status', 'Message_Status', from?.MessageRouteId ?? null, messageView(row));
  for (const to of row.To) {
    const number = world.store.anyNumber(to);
    if (number !== undefined && receives(number))
      receiveMessage(world, number, {
        from: row.From,
        to: [to],
        body: row.Body,
        media: row.MmsMedia,
        mms: row.MessageType === 'mms',
      });
  }
}

export function receives(number: NumberRecord): boolean {
  return number.Status === STATUS.active && number.MessageEnabled;
}

/**
 * Delivers an inbound message to the number's message route, and fires `New_Sms` to the webhooks (PLATFORM.md, Events).
 * A message that a filter stops is delivered nowhere and leaves no record; the list of deliveries names the filter.
 */
export function receiveMessage(world: World, to: NumberRecord, draft: Draft): Message | Stopped {
  const stopped = stoppedBy(world, to, {
    from: draft.from,
    message: { body: draft.body, media: draft.media.length > 0 },
  });
  if (stopped !== undefined) {
    world.deliveries.stop('message', 'Inbound_Message', stopped, { From: draft.from, To: to.Number, Body: draft.body });
    return stopped;
  }
  const row = message(world.clock, to, draft, { Direction: 'INBOUND', Cost: 0, Status: 'Received', DeliverAt: null });
  world.store.state.messages.push(row);
  const view = messageView(row);
  world.deliveries.toRoute('message', 'Inbound_Message', to.MessageRouteId, view);
  world.deliveries.fire('New_Sms', to.AccountId, view);
  return row;
}
