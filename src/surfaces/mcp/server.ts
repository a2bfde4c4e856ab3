import {
  prompts as allPrompts,
  batchTemplate,
  confirmationTemplate,
  demoInstruction,
  guideTemplate,
  guideTopics,
  instructionsFor,
  type Prompt,
  templates,
  texts,
} from '../../../tools/surfaces/assistants.ts';
import type { Gate } from '../../gate/gate.ts';
import { Offer } from '../../language/assistants/offer.ts';
import { retried } from '../../lib/clock.ts';
import type { StdioConnection, StdioOptions } from './messages.ts';
import {
  INVALID_PARAMS,
  isModern,
  type McpOptions,
  type PromptResult,
  ProtocolError,
  type ServerDefinition,
} from './protocol.ts';
import { plainAddress } from './resources.ts';

/**
 * Switchboard's MCP server for one client: tools, resources, prompts and consent, for both versions of the protocol.
 */
export function defineServer(options: McpOptions): ServerDefinition {
  const { changes, demo, version, stream, backend } = options;
  const offer = new Offer(options);
  // Loaded when they are used, because a client waits for the list of tools, which needs neither.
  const calls = retried(async () => (await import('./calls.ts')).toolCallsOf(options, offer));
  const reads = retried(async () => (await import('./resource-reads.ts')).resourceReadsOf(options, offer));
  const has = (id: string) => offer.has(id) || offer.tools.some(({ name }) => name === id);
  const { readOnly, discover, actor } = options;
  const instructions = instructionsFor({ has, role: actor.role, readOnly, discover, ...offer.counts });
  const prompts = allPrompts.filter(({ needs }) => needs.every(has));
  return {
    info: { name: 'switchboard', title: 'Switchboard', version },
    instructions: demo ? `${demoInstruction}\n${instructions}` : instructions,
    // The results of a tool carry Block Kit for Slackbot.
    listTools: () =>
      offer.tools.map((tool) => (options.slackbot ? { ...tool, _meta: { slack: { supportsBlockKit: true } } } : tool)),
    callTool: async (name, input, context) => (await calls())(name, input, context),
    listResources: () => texts.map(({ text: _text, ...resource }) => ({ ...resource, mimeType: 'text/markdown' })),
    listResourceTemplates: () => {
      const records = templates
        .filter(({ reads }) => offer.has(reads))
        .map(({ reads: _reads, argument: _argument, given: _given, ...template }) => template);
      const listed = [
        ...records,
        ...(offer.canWait ? [confirmationTemplate] : []),
        ...(offer.batchTools.length > 0 ? [batchTemplate] : []),
      ];
      const guide = { ...guideTemplate, mimeType: 'text/markdown' };
      return [...listed.map((template) => ({ ...template, mimeType: 'application/json' })), guide];
    },
    readResource: async (uri, signal) => (await reads()).read(uri, signal),
    listPrompts: () =>
      prompts.map(({ text: _text, needs: _needs, arguments: args, ...prompt }) => ({
        ...prompt,
        arguments: args.map(({ of: _of, ...argument }) => argument),
      })),
    getPrompt: async (name, given) => getPrompt(prompts, name, given, async () => (await backend()).gate),
    // Values seen in earlier answers.
    complete: async (argument, { type, name }) => {
      if (type === 'ref/prompt' ? !prompts.some((one) => one.name === name) : type !== 'ref/resource')
        throw new ProtocolError(INVALID_PARAMS, 'ref: names no prompt and no resource.');
      const { known } = await backend();
      const value = plainAddress(argument.value);
      if (argument.name === 'topic') return guideTopics.filter((topic) => topic.startsWith(value));
      // A number may be written with spaces and brackets, and with what a link or a call from abroad puts before it.
      if (/Phone|Number|From|To/.test(argument.name))
        return known.complete('phone', value.replace(/^tel:|[\s().-]/gi, '').replace(/^(?:00|011)(?=[1-9]\d{6})/, '+'));
      return argument.name === 'OrderId' ? known.complete('JNUOID', value) : [];
    },
    subscribable: changes && {
      changes,
      recordOf: async (uri) => (await reads()).recordOf(uri),
      // Changes are reported only once the backend is open.
      follow: async () => (await backend()).follow?.(),
      stream,
    },
  };
}

/** The text of one prompt with its arguments filled in, which are read like those of a tool. */
async function getPrompt(
  prompts: readonly Prompt[],
  name: string,
  given: Readonly<Record<string, string>>,
  gate: () => Promise<Gate>,
): Promise<PromptResult> {
  const prompt = prompts.find((candidate) => candidate.name === name);
  if (!prompt) throw new ProtocolError(INVALID_PARAMS, `There is no prompt ${name}.`);
  const names = prompt.arguments.map((argument) => argument.name);
  const values: Record<string, string> = {};
  for (const [key, value] of Object.entries(given)) {
    const argument = prompt.arguments.find((one) => one.name.toLowerCase() === key.toLowerCase());
    if (!argument) {
      const takes = `${name} takes ${names.join(', ')}`;
      throw new ProtocolError(INVALID_PARAMS, `${key.slice(0, 100)} is no argument of this prompt; ${takes}.`);
    }
    const tool = (await gate()).tool(argument.of);
    const { fieldProblems } = await import('../../catalogue/input.ts');
    const problems = tool && value !== '' ? fieldProblems(tool, { [argument.name]: value }, new Date()) : [];
    const wrong = problems.find(({ field }) => field === argument.name);
    if (wrong) throw new ProtocolError(INVALID_PARAMS, `${argument.name}: ${wrong.message}`);
    values[argument.name] = String(tool?.input.shape[argument.name]?.safeParse(value).data ?? value);
  }
  const missing = prompt.arguments.find((argument) => argument.required && !values[argument.name]);
  if (missing) throw new ProtocolError(INVALID_PARAMS, `${missing.name} is missing: ${missing.description}.`);
  return {
    description: prompt.description,
    messages: [{ role: 'user', content: { type: 'text', text: prompt.text(values) } }],
  };
}

/**
 * Serves one client over stdio in the protocol of its first message. It loads only the adapter for that protocol.
 *
 * @returns undefined if the input ended before a message came
 */
export async function serveStdio(options: StdioOptions): Promise<StdioConnection | undefined> {
  const first = await options.transport.first;
  if (first === undefined) return undefined;
  const adapter = isModern(first) ? await import('./modern.ts') : await import('./legacy.ts');
  return adapter.serveStdio(options);
}
