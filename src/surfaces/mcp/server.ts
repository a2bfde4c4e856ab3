import {
  demoInstruction,
  guideTopics,
  instructionsFor,
  type Prompt,
  promptsFor,
} from '../../../tools/surfaces/assistants.ts';
import type { ListedTool } from '../../language/assistants/listed.ts';
import { Offer } from '../../language/assistants/offer.ts';
import { retried } from '../../lib/retried.ts';
import type { Completions } from '../../platform/dialect/orders.ts';
import type { McpOptions } from './options.ts';
import { INVALID_PARAMS, type PromptResult, ProtocolError, type ServerDefinition } from './protocol.ts';
import { checkSubscription, listResources, listTemplates } from './resources.ts';

export type { McpOptions } from './options.ts';

/**
 * Switchboard's MCP server for one client: tools, resources, prompts and consent, for both versions of the protocol.
 */
export function defineServer(options: McpOptions): ServerDefinition {
  const { changes, demo, version, stream, backend } = options;
  const offer = new Offer({ ...options, batches: true });
  // Loaded when they are used, because a client waits for the list of tools, which needs neither.
  const calls = retried(async () => new (await import('./calls.ts')).ToolCalls(options, offer));
  const reads = retried(async () => new (await import('./resource-reads.ts')).ResourceReads(options, offer));
  const has = (id: string) => offer.has(id) || offer.tools.some(({ name }) => name === id);
  const { readOnly, discover, actor } = options;
  const instructions = instructionsFor({ has, role: actor.role, readOnly, discover, ...offer.counts });
  const prompts = promptsFor(has);
  return {
    info: { name: 'switchboard', title: 'Switchboard', version },
    instructions: demo ? `${demoInstruction}\n${instructions}` : instructions,
    listTools: () => (options.slackbot ? offer.tools.map(withBlockKit) : [...offer.tools]),
    callTool: async (name, input, context) => (await calls()).call(name, input, context),
    listResources,
    listResourceTemplates: () => listTemplates(offer),
    readResource: async (uri, signal) => (await reads()).read(uri, signal),
    listPrompts: () => listPrompts(prompts),
    getPrompt: (name, given) => getPrompt(prompts, name, given),
    complete: async (argument) => completeArgument((await backend()).known, argument),
    subscribable: changes && {
      changes,
      check: checkSubscription,
      // Changes are reported only once the backend is open.
      follow: async () => (await backend()).follow?.(),
      stream,
    },
  };
}

/** Declares that the results of a tool carry Block Kit for Slackbot. */
function withBlockKit(tool: ListedTool['tool']): ListedTool['tool'] {
  return { ...tool, _meta: { slack: { supportsBlockKit: true } } };
}

/** The prompts as a client lists them. */
function listPrompts(prompts: readonly Prompt[]) {
  return prompts.map(({ text: _text, needs: _needs, arguments: args, ...prompt }) => ({
    ...prompt,
    arguments: [...args],
  }));
}

/** The text of one prompt with its arguments filled in. */
function getPrompt(prompts: readonly Prompt[], name: string, given: Readonly<Record<string, string>>): PromptResult {
  const prompt = prompts.find((candidate) => candidate.name === name);
  if (!prompt) throw new ProtocolError(INVALID_PARAMS, `There is no prompt ${name}.`);
  const missing = prompt.arguments.find((argument) => argument.required && !given[argument.name]);
  if (missing) throw new ProtocolError(INVALID_PARAMS, `${missing.name} is missing: ${missing.description}.`);
  return {
    description: prompt.description,
    messages: [{ role: 'user', content: { type: 'text', text: prompt.text({ ...given }) } }],
  };
}

/** Values seen in earlier answers that complete an argument of a prompt or a resource template. */
function completeArgument(known: Completions, argument: { name: string; value: string }): string[] {
  if (argument.name === 'topic') return guideTopics.filter((topic) => topic.startsWith(argument.value));
  if (/Phone|Number|From|To/.test(argument.name)) return known.complete('phone', argument.value);
  return argument.name === 'OrderId' ? known.complete('JNUOID', argument.value) : [];
}
