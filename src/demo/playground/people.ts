// Acts of people in Slack. Each act builds the payload that Slack sends, delivers it, and handles the answer as Slack
// does.
import { type Fields, isRecord } from '../../lib/values.ts';
import { Refusal } from './arguments.ts';
import type { Delivered, Deliverer, Parcel } from './deliver.ts';
import { checkOptions, optionsOf, Problems } from './elements.ts';
import { actionOf, ClientRefusal, enterAll, formErrors, type Given, locate, offer, spots } from './forms.ts';
import type { Api } from './http.ts';
import { asMessages, checkView } from './limits.ts';

import * as build from './payloads.ts';
import { IDS, MAX_STACK, type State } from './state.ts';
import type { Message, User, View } from './types.ts';

/** The container of an element: a message, a modal (`true` is the one on top), or the person's App Home. */
export type At = { messageTs: string } | { view: string | true } | { home: true };

export interface People {
  command(act: {
    user: string;
    channel: string;
    command: string;
    text?: string;
    team?: string;
    threadTs?: string;
  }): Promise<Delivered>;
  click(
    act: { user: string; actionId: string; blockId?: string; value?: Given; team?: string } & At,
  ): Promise<Delivered>;
  submit(act: { user: string; viewId?: string; values?: Record<string, Given>; team?: string }): Promise<Delivered>;
  closeView(act: { user: string; viewId?: string }): Promise<Delivered>;
  suggest(
    act: { user: string; actionId: string; blockId?: string; value: string; team?: string } & At,
  ): Promise<Delivered>;
  shortcut(act: { user: string; callbackId: string; team?: string }): Promise<Delivered>;
  messageShortcut(act: { user: string; callbackId: string; messageTs: string; team?: string }): Promise<Delivered>;
  openHome(act: { user: string; tab?: 'home' | 'messages' }): Promise<Delivered>;
  /** Posts a message. The app receives it if it is mentioned or in its direct message. */
  say(act: { user: string; channel: string; text: string; threadTs?: string }): Promise<Delivered>;
  event(event: Fields, more?: { team?: string; retryNum?: number; retryReason?: string }): Promise<Delivered>;
}

export interface PeopleOptions {
  state: State;
  api: Api;
  deliverer: Deliverer;
  responseUrl(id: string): string;
}

function refused(reason: string, errors?: Record<string, string>): Delivered {
  const nothing = { deliveryId: '', via: 'none', status: 0, body: '', json: undefined, ackMs: 0 } as const;
  return { ...nothing, outcome: 'refused', reason, errors };
}

function interactive(payload: Fields): Parcel {
  return { type: 'interactive', payload, form: { payload: JSON.stringify(payload) } };
}

export function createPeople({ state, api, deliverer, responseUrl }: PeopleOptions): People {
  const userOf = (id: string): User => {
    const user = state.users.get(id);
    if (!user) throw new Error(`there is no user ${id}`);
    return user;
  };
  const visible = (user: string, ts: string): Message => {
    const message = state.message(ts);
    const hidden = message?.ephemeralTo !== undefined && message.ephemeralTo !== user;
    if (!message || hidden || !state.channels.get(message.channel)?.members.has(user)) {
      throw new ClientRefusal(`${user} sees no message ${ts}`);
    }
    return message;
  };
  const modal = (user: string, id?: string | true): View => {
    const stack = state.stacks.get(user) ?? [];
    const top = stack.at(-1);
    if (!top) throw new ClientRefusal(`${user} has no open modal`);
    if (typeof id === 'string' && top.id !== id) throw new ClientRefusal(`${id} is not the modal on top`);
    return top;
  };
  const place = (user: string, at: At): build.Place => {
    if ('messageTs' in at) return { message: visible(user, at.messageTs) };
    if ('view' in at) return { view: modal(user, at.view) };
    const view = state.homes.get(user);
    if (!view) throw new ClientRefusal(`${user} has no App Home yet`);
    return { view };
  };
  const guarded = async (run: () => Promise<Delivered>): Promise<Delivered> => {
    try {
      return await run();
    } catch (error) {
      if (error instanceof ClientRefusal) return refused(error.message);
      throw error;
    }
  };
  const slackbot = (user: string, channel: string, text: string) => {
    state.post({ channel, text, user: IDS.SLACKBOT, botId: undefined, ephemeralTo: user, source: 'slackbot' });
  };

  const closeTop = (view: View) => {
    const stack = state.stacks.get(view.user) ?? [];
    stack.splice(stack.indexOf(view), 1);
    state.changed();
  };

  /** Applies the acknowledgement of a view_submission. Returns the reason if Slack would show an error instead. */
  const obey = (view: View, answer: unknown): { reason?: string; errors?: Record<string, string> } => {
    if (!isRecord(answer) || answer.response_action === undefined) {
      closeTop(view);
      return {};
    }
    const fresh = answer.view;
    switch (answer.response_action) {
      case 'clear':
        state.stacks.set(view.user, []);
        state.changed();
        return {};
      case 'errors': {
        const errors: Record<string, string> = {};
        const inputs = spots(view).filter(({ block }) => block.type === 'input');
        for (const [block, text] of Object.entries(isRecord(answer.errors) ? answer.errors : {})) {
          if (!inputs.some((spot) => spot.block.block_id === block)) {
            return { reason: `errors names ${block}, which is no input block of the view` };
          }
          errors[block] = String(text);
        }
        if (Object.keys(errors).length === 0) return { reason: 'errors is empty' };
        view.errors = errors;
        state.changed();
        return { errors };
      }
      case 'update':
      case 'push': {
        const problems = checkView(fresh, { files: state.files });
        if (!isRecord(fresh) || problems.length > 0) return { reason: asMessages(problems).join('\n') };
        if (answer.response_action === 'update') state.updateView(view, fresh);
        else if ((state.stacks.get(view.user) ?? []).length >= MAX_STACK) return { reason: 'push_limit_reached' };
        else state.openView(view.user, fresh, view);
        return {};
      }
      default:
        return { reason: `unknown response_action ${String(answer.response_action)}` };
    }
  };

  const TROUBLE = 'We had some trouble connecting. Try again?';

  const event: People['event'] = (body, more = {}) => {
    const payload = build.eventCallback(state, body, more.team);
    const headers: Record<string, string> =
      more.retryNum === undefined
        ? {}
        : { 'x-slack-retry-num': String(more.retryNum), 'x-slack-retry-reason': more.retryReason ?? 'http_timeout' };
    return deliverer.send({ type: 'events_api', payload, json: payload }, headers);
  };

  return {
    command: (act) =>
      guarded(async () => {
        const user = userOf(act.user);
        const channel = state.channels.get(act.channel);
        if (!channel?.members.has(user.id)) throw new ClientRefusal(`${user.id} is not in ${act.channel}`);
        if (act.threadTs) throw new ClientRefusal(`${act.command} is not supported in threads. Sorry!`);
        if (channel.isArchived) throw new ClientRefusal('the channel is archived');
        const url = state.responseUrl(user.id, act.channel);
        const ids = { triggerId: state.trigger(user.id).id, responseUrl: responseUrl(url.id) };
        const form = build.slashCommand(
          state,
          user,
          { channel: act.channel, command: act.command, text: (act.text ?? '').trim(), team: act.team },
          ids,
        );
        const done = await deliverer.send({ type: 'slash_commands', payload: form, form });
        if (done.outcome !== 'acked') {
          const code = done.outcome === 'timeout' ? 'operation_timeout' : 'dispatch_failed';
          slackbot(user.id, act.channel, `${act.command} failed with the error "${code}"`);
          return done;
        }
        const said = isRecord(done.json) ? done.json : done.body.trim() === '' ? undefined : { text: done.body };
        if (!said || Object.keys(said).length === 0) return done;
        try {
          api.reply(url, said, 'ack');
          return done;
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          slackbot(user.id, act.channel, `${act.command} failed with the error "${error.message}"`);
          return { ...done, outcome: 'failed', reason: JSON.stringify(error.answer) };
        }
      }),

    click: (act) =>
      guarded(async () => {
        const user = userOf(act.user);
        const where = place(user.id, act);
        const holder = 'message' in where ? where.message : where.view;
        const spot = locate(holder, act.actionId, act.blockId);
        const action = actionOf(holder, spot, act.value);
        const message = 'message' in where ? where.message : undefined;
        const url = message && state.responseUrl(user.id, message.channel, message.ts, message.threadTs);
        const modalId = 'view' in where && where.view.type === 'modal' ? where.view.id : undefined;
        const payload = build.blockActions(state, user, where, action, {
          triggerId: state.trigger(user.id, modalId).id,
          responseUrl: url && responseUrl(url.id),
          team: act.team,
        });
        const done = await deliverer.send(interactive(payload));
        return { ...done, confirm: isRecord(spot.element.confirm) ? spot.element.confirm : undefined };
      }),

    submit: (act) =>
      guarded(async () => {
        const user = userOf(act.user);
        const view = modal(user.id, act.viewId);
        if (view.definition.submit === undefined) throw new ClientRefusal('the modal has no submit button');
        enterAll(view, act.values ?? {});
        const errors = formErrors(view);
        view.errors = errors;
        if (Object.keys(errors).length > 0) {
          state.changed();
          return refused('the form is not complete', errors);
        }
        const trigger = state.trigger(user.id, view.id);
        const done = await deliverer.send(interactive(build.viewSubmission(state, user, view, trigger.id, act.team)));
        if (done.outcome !== 'acked') {
          view.errors = { '': TROUBLE };
          state.changed();
          return done;
        }
        if (done.body.trim() !== '' && !isRecord(done.json)) {
          view.errors = { '': TROUBLE };
          state.changed();
          return { ...done, outcome: 'failed', reason: 'the acknowledgement must be empty or a response_action' };
        }
        const { reason, errors: shown } = obey(view, done.json);
        if (!reason) return { ...done, errors: shown };
        view.errors = { '': TROUBLE };
        state.warnings.push(`view_submission: ${reason}`);
        state.changed();
        return { ...done, outcome: 'failed', reason };
      }),

    closeView: (act) =>
      guarded(async () => {
        const user = userOf(act.user);
        const view = modal(user.id, act.viewId);
        const all = view.definition.clear_on_close === true;
        if (all) state.stacks.set(user.id, []);
        else closeTop(view);
        state.changed();
        if (view.definition.notify_on_close !== true) return refused('the view has no notify_on_close');
        return deliverer.send(interactive(build.viewClosed(state, user, view, all)));
      }),

    suggest: (act) =>
      guarded(async () => {
        const user = userOf(act.user);
        const where = place(user.id, act);
        const holder = 'message' in where ? where.message : where.view;
        const spot = locate(holder, act.actionId, act.blockId);
        if (!String(spot.element.type).includes('external_select')) throw new ClientRefusal('not an external select');
        const least = typeof spot.element.min_query_length === 'number' ? spot.element.min_query_length : 3;
        if (act.value.length < least) throw new ClientRefusal(`Slack asks from ${least} characters on`);
        const blockId = String(spot.block.block_id);
        const at = { actionId: act.actionId, blockId, value: act.value, team: act.team };
        const done = await deliverer.send(interactive(build.blockSuggestion(state, user, where, at)));
        if (done.outcome !== 'acked') return { ...done, options: [] };
        const answer = isRecord(done.json) ? done.json : {};
        const problems = new Problems();
        checkOptions(problems, answer, '', 0);
        if (problems.list.length > 0) {
          return { ...done, outcome: 'failed', reason: asMessages(problems.list).join('\n'), options: [] };
        }
        const options = optionsOf(answer);
        offer(holder, spot.key, options);
        return { ...done, options };
      }),

    shortcut: (act) =>
      guarded(() => {
        const user = userOf(act.user);
        const payload = build.globalShortcut(state, user, act.callbackId, state.trigger(user.id).id, act.team);
        return deliverer.send(interactive(payload));
      }),

    messageShortcut: (act) =>
      guarded(async () => {
        const user = userOf(act.user);
        const message = visible(user.id, act.messageTs);
        if (message.ephemeralTo) throw new ClientRefusal('ephemeral messages have no shortcuts');
        const url = state.responseUrl(user.id, message.channel, undefined, message.threadTs);
        const ids = { triggerId: state.trigger(user.id).id, responseUrl: responseUrl(url.id), team: act.team };
        return deliverer.send(interactive(build.messageShortcut(state, user, message, act.callbackId, ids)));
      }),

    openHome: (act) => {
      const user = userOf(act.user);
      const view = state.homes.get(user.id);
      return event({
        type: 'app_home_opened',
        user: user.id,
        channel: state.im(user.id).id,
        tab: act.tab ?? 'home',
        ...(view ? { view: build.viewPayload(state, view) } : {}),
      });
    },

    say: (act) =>
      guarded(async () => {
        const user = userOf(act.user);
        const channel = state.channels.get(act.channel);
        if (!channel?.members.has(user.id)) throw new ClientRefusal(`${user.id} is not in ${act.channel}`);
        const parent = act.threadTs === undefined ? undefined : state.message(act.threadTs, act.channel);
        if (act.threadTs !== undefined && (!parent || parent.ephemeralTo))
          throw new ClientRefusal('there is no such thread');
        // A reply to a reply goes to the thread of both.
        const threadTs = parent?.threadTs ?? parent?.ts;
        const fields = { channel: act.channel, text: act.text, threadTs };
        const message = state.post({ ...fields, user: user.id, botId: undefined, source: 'person' });
        const mentioned = act.text.includes(`<@${IDS.BOT_USER}>`);
        const name = channel.imWith ? 'message.im' : mentioned ? 'app_mention' : undefined;
        if (name === undefined || !state.events.has(name)) return refused('the app is not told of it');
        return event(build.typedMessage(state, message, channel), { team: user.teamId });
      }),

    event,
  };
}
