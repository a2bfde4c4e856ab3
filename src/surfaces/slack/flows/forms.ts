import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { fieldProblems, parseInput } from '../../../catalogue/input.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import {
  cautionedView,
  errorsAt,
  type FormMeta,
  formView,
  isRecord,
  noticeView,
  OUT_OF_DATE,
  pathOf,
  readForm,
  withoutSecrets,
} from '../blocks/form.ts';
import { type Element, notice, say } from '../blocks/text.ts';
import type { Origin, SlackContext } from '../types.ts';
import { guideMeta } from './guide.ts';
import { createReply } from './reply.ts';
import { run } from './run.ts';

/** A submitted or open form as Slack sends it. */
export interface SentView {
  id: string;
  metadata: string;
  /** `state.values`, by block and action. */
  values: Record<string, unknown>;
}

export interface ViewAnswer {
  ack: Record<string, unknown> | undefined;
  after?: () => Promise<void>;
}

/** How long a submit waits to know the role; the form must be answered within three seconds. */
const ROLE_MS = 1_500;

/** Opens an operation's form with what is known. False when Slack did not take it. */
export async function openForm(
  slack: SlackContext,
  tool: Tool,
  values: Record<string, unknown>,
  origin: Origin,
): Promise<boolean> {
  if (!origin.triggerId) return false;
  const fields = fieldsOf(tool);
  const account = slack.config.PLATFORM_ACCOUNT_ID;
  const known =
    account !== undefined && fields.some((field) => field.name === 'AccountId')
      ? { AccountId: account, ...values }
      : values;
  const meta: FormMeta = { t: tool.id, ...(origin.channel ? { c: origin.channel } : {}) };
  try {
    const id = await slack.web.openView(
      origin.triggerId,
      formView(tool, fields, withoutSecrets(fields, known), meta, slack.reworded),
    );
    if (origin.responseUrl) slack.memory.origins.put(id, origin.responseUrl);
    return true;
  } catch (error) {
    slack.log('warn', { operation: tool.id, error: String(error) }, 'a form could not be opened');
    return false;
  }
}

/** A submit: what is wrong is said at its field, otherwise the form closes and the work goes on outside it. */
export async function onSubmit(slack: SlackContext, view: SentView, origin: Origin): Promise<ViewAnswer> {
  const guide = guideMeta(view.metadata);
  if (guide) return slack.guides.submit(view, guide, origin);
  const { tool, channel, cautioned } = aboutOf(slack, view);
  if (!tool)
    return {
      ack: {
        response_action: 'update',
        view: OUT_OF_DATE,
      },
    };
  const fields = fieldsOf(tool);
  const input = readForm(fields, view.values);
  const errors = errorsAt(fields, fieldProblems(tool, input, new Date(slack.clock.now())));
  if (Object.keys(errors).length > 0) return { ack: { response_action: 'errors', errors } };
  const asked: Origin = { ...origin, ...(channel ? { channel } : {}) };
  const late = slack.web.sleep(ROLE_MS).then(() => undefined);
  const who = await Promise.race([slack.roles.membership(origin), late]);
  const refused = who && slack.roles.refusal(who, neededRole(tool).ask);
  if (refused) return { ack: { response_action: 'update', view: noticeView('Not sent', say('⛔ ', ...refused)) } };
  const caution = cautionOf(slack, tool, input);
  // The form stays open with the caution at its top; the same values sent once more are meant.
  if (caution !== undefined && caution !== cautioned) {
    const meta = { t: tool.id, ...(channel ? { c: channel } : {}), w: caution };
    const again = cautionedView(tool, fields, withoutSecrets(fields, input), meta, slack.reworded);
    return { ack: { response_action: 'update', view: again } };
  }
  const responseUrl = slack.memory.origins.take(view.id);
  const reply = createReply(slack.web, slack.log, { ...asked, ...(responseUrl ? { responseUrl } : {}) }, false);
  return { ack: undefined, after: () => run(slack, { tool, input, origin: asked, reply }) };
}

/** What a person should know before this input is saved; undefined where there is nothing. The input has no problems. */
function cautionOf(slack: SlackContext, tool: Tool, input: Record<string, unknown>): string | undefined {
  if (tool.kind !== 'operation' || !tool.caution) return undefined;
  return tool.caution(parseInput(tool, input, new Date(slack.clock.now())));
}

/** Options of a typeahead, from memory only. */
export async function onSuggest(
  slack: SlackContext,
  view: SentView,
  blockId: string,
  typed: string,
  origin: Origin,
): Promise<Element[]> {
  const { tool } = aboutOf(slack, view);
  const field = tool && fieldAt(fieldsOf(tool), pathOf(blockId).split('.'));
  if (!field) return [];
  const late = slack.web.sleep(ROLE_MS).then(() => undefined);
  const who = await Promise.race([slack.roles.membership(origin), late]);
  // Whoever has no role sees nothing of ours, but may go on typing; the submit says why it is refused.
  return slack.directory.offer(field, typed, who !== undefined && !('refused' in who));
}

interface About {
  tool: Tool | undefined;
  channel: string | undefined;
  /** The caution that stood at the top of the form. */
  cautioned?: string | undefined;
}

function aboutOf(slack: SlackContext, view: SentView): About {
  try {
    const meta: unknown = JSON.parse(view.metadata);
    if (!isRecord(meta)) return { tool: undefined, channel: undefined };
    return {
      tool: slack.tools.find((tool) => tool.id === meta.t),
      channel: typeof meta.c === 'string' ? meta.c : undefined,
      cautioned: typeof meta.w === 'string' ? meta.w : undefined,
    };
  } catch {
    return { tool: undefined, channel: undefined };
  }
}

function fieldAt(fields: readonly Field[], path: readonly string[]): Field | undefined {
  const [name, ...rest] = path;
  const field = fields.find((candidate) => candidate.name === name);
  return rest.length === 0 || !field ? field : fieldAt(field.fields ?? [], rest);
}

/** A form button that was shown before a restart has lost its values; the form still opens. */
export async function onFormButton(slack: SlackContext, value: string, origin: Origin): Promise<void> {
  const [draftId = '', toolId = ''] = value.split('|');
  const draft = slack.memory.drafts.get(origin.userId, draftId);
  const tool = slack.tools.find((candidate) => candidate.id === (draft?.toolId ?? toolId));
  const reply = createReply(slack.web, slack.log, origin, false);
  if (!tool) {
    await reply.add(notice('🤔', 'This button is of an older version. Write the command again.'));
    return;
  }
  const channel = origin.channel ?? draft?.channel;
  const opened = await openForm(slack, tool, draft?.input ?? {}, { ...origin, ...(channel ? { channel } : {}) });
  if (!opened) await reply.add(notice('⚠️', 'Slack did not open the form. Press the button once more.'));
}
