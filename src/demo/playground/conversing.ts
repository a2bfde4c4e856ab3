// Acts of people with the app that are no messages: opening its conversations, looking elsewhere, stopping it.
import type { Delivered } from './deliver.ts';
import { appContext } from './payloads.ts';
import type { People } from './people.ts';
import { IDS, type State } from './state.ts';

export interface Conversing {
  /** Shows a conversation to a person. The app hears of it if the conversation is its own, or becomes its context. */
  openChannel(act: { user: string; channel: string }): Promise<Delivered>;
  /** Presses the Stop button of a session. Slack stops its streams, and leaves its status to the app. */
  stopSession(act: { user: string; channel: string; threadTs: string }): Promise<Delivered>;
}

const NOTHING: Delivered = {
  deliveryId: '',
  via: 'none',
  status: 0,
  body: '',
  json: undefined,
  ackMs: 0,
  outcome: 'acked',
};

export function createConversing(state: State, people: Pick<People, 'openHome' | 'event'>): Conversing {
  return {
    async openChannel({ user, channel }) {
      const room = state.channels.get(channel);
      if (!room?.members.has(user)) return NOTHING;
      if (room.imWith) {
        return state.events.has('app_home_opened') ? people.openHome({ user, tab: 'messages' }) : NOTHING;
      }
      if (room.isSlackbot || state.viewed.get(user) === channel) return NOTHING;
      state.viewed.set(user, channel);
      const context = appContext(state, user);
      if (!context) return NOTHING;
      return people.event({ type: 'app_context_changed', user, channel: state.im(user).id, context });
    },

    async stopSession({ user, channel, threadTs }) {
      const session = state.sessions.session(channel, threadTs);
      if (session?.status !== 'processing' || !state.channels.get(channel)?.members.has(user)) return NOTHING;
      const streams = state
        .messagesOf(channel)
        .filter(
          ({ threadTs: thread, stream }) => thread === threadTs && stream?.state(state.clock.now()) === 'streaming',
        );
      for (const message of streams) {
        message.stream?.stop('user');
        message.blocks = state.withIds(message.stream?.blocks() ?? []);
      }
      state.sessions.clearWorking(channel, threadTs);
      state.changed();
      const stopped = streams.map(({ ts }) => ts);
      const event = {
        type: 'agent_session_stopped',
        channel,
        user,
        thread_ts: threadTs,
        streaming_message_ts: stopped,
      };
      return people.event(event, { team: state.users.get(user)?.teamId ?? IDS.TEAM });
    },
  };
}
