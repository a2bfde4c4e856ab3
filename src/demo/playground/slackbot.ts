// Slack's assistant as an MCP client. It sends signed requests to /mcp for a person. A script picks the tool instead of
// a model.

import { type Fields, isRecord, recordOf } from '../../lib/values.ts';
import type { Delivered } from './deliver.ts';
import { asMessages, checkBlocks } from './limits.ts';
import { encoded } from './mrkdwn.ts';
import { type Channel, objects, parseJson, str } from './types.ts';
import { IDS, type Workspace } from './workspace.ts';

export interface ScriptedSlackbotOptions {
  workspace: Workspace;
  /** The MCP server that the app's manifest declares. */
  mcpUrl: string;
}

/** A tool and its fields. */
export interface PickedCall {
  name: string;
  input: Fields;
}

/** The types of blocks that the real Slackbot shows (docs.slack.dev/ai/slackbot-mcp-client). */
const SHOWN_TYPES: ReadonlySet<string> = new Set(['context', 'divider', 'header', 'rich_text', 'section', 'table']);
/** Time that Slackbot waits for a tool, in ms. */
const WAIT_MS = 60_000;
/**
 * Sentences about a number, in order of precedence, and the tools that they mean. The first tool that is listed is
 * called.
 */
const SENTENCES: readonly { says: RegExp; tools: readonly string[] }[] = [
  { says: /\b(why|can['’]?t|cannot)\b/i, tools: ['numbers_diagnose', 'numbers_lookup'] },
  { says: /\breactivate\b/i, tools: ['numbers_reactivate'] },
  { says: /\bcancel\b/i, tools: ['numbers_cancel'] },
  { says: /\bwatch\b/i, tools: ['numbers_watch'] },
  { says: /./, tools: ['numbers_lookup'] },
];
const HELP =
  'I did not understand. Ask about a number (“why can’t +12015550101 text?”), about a confirmation (act_…), or name a tool with its fields.';

/** Slackbot with scripted answers. It talks to each person in a separate conversation. */
export class ScriptedSlackbot {
  readonly examples: readonly string[] = [
    'why can’t +12015550101 text?',
    'reactivate +12015550107',
    'numbers_inventory_get',
    'look up +12015559999',
  ];
  readonly #options: ScriptedSlackbotOptions;
  #serial = 0;

  constructor(options: ScriptedSlackbotOptions) {
    this.#options = options;
  }

  /** The person's conversation with Slackbot, made on first use. No app is in it. */
  room(user: string): Channel {
    const { state } = this.#options.workspace;
    const id = `DSB${user.slice(1)}`;
    return state.channels.get(id) ?? state.addChannel(id, 'slackbot', [user], { isPrivate: true, isSlackbot: true });
  }

  /** Calls the tool that a person's sentence means, and shows the result in their conversation. */
  async ask(user: string, text: string): Promise<Delivered> {
    const { state } = this.#options.workspace;
    const channel = this.room(user).id;
    state.post({ channel, user, botId: undefined, text: encoded(text), source: 'person' });
    const say = (words: string, blocks: Fields[] = []) =>
      state.post({
        channel,
        user: IDS.SLACKBOT,
        botId: undefined,
        text: encoded(words),
        blocks,
        source: 'slackbot',
      });
    const listed = await this.#send(user, 'tools/list', {});
    const tools = objects(recordOf(listed.json).result && recordOf(recordOf(listed.json).result).tools);
    const picked = listed.outcome === 'acked' ? pick(text, tools) : undefined;
    if (listed.outcome !== 'acked') say(errorIn(listed));
    else if (!picked) say(HELP);
    else {
      const called = await this.#send(user, 'tools/call', { name: picked.name, arguments: picked.input });
      const result = recordOf(recordOf(called.json).result);
      if (called.outcome !== 'acked' || Object.keys(result).length === 0) say(errorIn(called));
      else this.#show(picked, result, say);
    }
    return listed;
  }

  /** Shows a result. Slack shows its blocks if it accepts every one of them, and otherwise its texts. */
  #show({ name }: PickedCall, result: Fields, say: (words: string, blocks?: Fields[]) => void): void {
    const { state } = this.#options.workspace;
    const texts = objects(result.content).map(({ text }) => str(text) ?? '');
    const sentences = texts.filter((text) => !/^[{[]/.test(text)).join('\n');
    const used = {
      type: 'context',
      elements: [{ type: 'mrkdwn', text: `Used Switchboard: \`${name}\` (always allowed)` }],
    };
    const blocks = objects(recordOf(recordOf(result._meta).slack).blocks);
    const problems = [
      ...(blocks.length === 0 ? ['no blocks'] : asMessages(checkBlocks(blocks, 'message'))),
      ...blocks.flatMap(({ type }) => (SHOWN_TYPES.has(String(type)) ? [] : [`block of type ${String(type)}`])),
    ];
    if (problems.length === 0) {
      // Slack adds the line about the tool, so it is not part of the blocks that were checked.
      say(sentences || name, [used, ...blocks]);
      return;
    }
    state.warnings.push(`_meta.slack.blocks: ${problems.join('; ')}`);
    say(texts.join('\n').slice(0, 3000));
  }

  /** Sends one signed request. The answer is JSON or one event of a stream. */
  async #send(user: string, method: string, params: Fields): Promise<Delivered> {
    const { workspace, mcpUrl } = this.#options;
    const { state } = workspace;
    this.#serial += 1;
    const meta = { slack: { user_id: user, team_id: state.users.get(user)?.teamId, enterprise_id: null } };
    const message = { jsonrpc: '2.0', id: this.#serial, method, params: { ...params, _meta: meta } };
    const body = JSON.stringify(message);
    const start = state.clock.now();
    const answer = await fetch(mcpUrl, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...workspace.sign(body),
      },
      signal: AbortSignal.timeout(WAIT_MS),
    });
    const text = await answer.text();
    return {
      deliveryId: '',
      via: 'http',
      status: answer.status,
      body: text,
      json: parseJson(/^data: (.*)$/m.exec(text)?.[1] ?? text),
      ackMs: state.clock.now() - start,
      outcome: answer.ok ? 'acked' : 'failed',
    };
  }
}

function errorIn({ json, status }: Delivered): string {
  return str(recordOf(recordOf(json).error).message) ?? `The app's server answered ${status}.`;
}

/** Picks the call that a sentence means, among these tools; undefined if it means none. */
export function pick(text: string, tools: readonly Fields[]): PickedCall | undefined {
  const named = (name: string) => tools.find((tool) => tool.name === name);
  const [first = '', ...rest] = text.trim().split(/\s+(?=\w+=)/);
  if (named(first)) return { name: first, input: Object.fromEntries(rest.map(fieldOf)) };
  const action = /\bact_[\w-]+/.exec(text)?.[0];
  if (action !== undefined) return { name: 'confirmations_get', input: { id: action } };
  const phone = /\+\d{7,15}/.exec(text)?.[0];
  if (phone === undefined) return undefined;
  const meant = SENTENCES.find(({ says }) => says.test(text))?.tools.find((name) => named(name) !== undefined);
  const tool = meant === undefined ? undefined : named(meant);
  if (!tool || meant === undefined) return { name: 'numbers_lookup', input: { PhoneNumber: phone } };
  const { properties } = recordOf(tool.inputSchema);
  const [name, schema] = Object.entries(recordOf(properties)).find(([field]) => /Number/.test(field)) ?? [
    'PhoneNumber',
  ];
  return { name: meant, input: { [name]: isRecord(schema) && schema.type === 'array' ? [phone] : phone } };
}

/** Parses `Field=value`. Booleans, objects and lists are read as JSON, and any other value as text. */
function fieldOf(given: string): [string, unknown] {
  const at = given.indexOf('=');
  const value = given.slice(at + 1).replace(/^"(.*)"$/, '$1');
  const json = /^(true|false|[[{].*)$/s.test(value) ? parseJson(value) : undefined;
  return [given.slice(0, at), json ?? value];
}
