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
import { type Fields, recordOf, textOf } from '../../lib/values.ts';
import type { Completions } from '../../platform/dialect/verdict.ts';
import type { StdioConnection, StdioOptions } from './messages.ts';
import { INVALID_PARAMS, isModern, type McpOptions, ProtocolError, type ServerDefinition } from './protocol.ts';
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
    handlers: {
      // The results of a tool carry Block Kit for Slackbot.
      'tools/list': () => {
        const _meta = { slack: { supportsBlockKit: true } };
        return { tools: offer.tools.map((tool) => (options.slackbot ? { ...tool, _meta } : tool)) };
      },
      'tools/call': async (given, context) => (await calls())(textOf(given.name), recordOf(given.arguments), context),
      'resources/list': () => ({
        resources: texts.map(({ text: _text, ...resource }) => ({ ...resource, mimeType: 'text/markdown' })),
      }),
      'resources/templates/list': () => {
        const records = templates
          .filter(({ reads }) => offer.has(reads))
          .map(({ reads: _reads, argument: _argument, given: _given, ...template }) => template);
        const listed = [
          ...records,
          ...(offer.canWait ? [confirmationTemplate] : []),
          ...(offer.batchTools.length > 0 ? [batchTemplate] : []),
        ];
        const guide = { ...guideTemplate, mimeType: 'text/markdown' };
        const resourceTemplates = [...listed.map((one) => ({ ...one, mimeType: 'application/json' })), guide];
        return { resourceTemplates };
      },
      'resources/read': async ({ uri }, { signal }) => ({ contents: await (await reads()).read(textOf(uri), signal) }),
      'prompts/list': () => ({
        prompts: prompts.map(({ text: _text, needs: _needs, arguments: args, ...prompt }) => ({
          ...prompt,
          arguments: args.map(({ of: _of, ...argument }) => argument),
        })),
      }),
      'prompts/get': ({ name, arguments: given }) => {
        const prompt = prompts.find((one) => one.name === name);
        if (!prompt) throw new ProtocolError(INVALID_PARAMS, `There is no prompt ${name}.`);
        return filledIn(prompt, recordOf(given), async () => (await backend()).gate);
      },
      'completion/complete': async ({ argument, ref }) => {
        const { type, name } = recordOf(ref);
        if (type === 'ref/prompt' ? !prompts.some((one) => one.name === name) : type !== 'ref/resource')
          throw new ProtocolError(INVALID_PARAMS, 'ref: names no prompt and no resource.');
        const values = completed(recordOf(argument), (await backend()).known);
        return { completion: { values, total: values.length, hasMore: false } };
      },
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

/** The values of an argument that fit what was typed. Those of records were seen in earlier answers. */
function completed(argument: Fields, known: Completions): string[] {
  const [name, value] = [textOf(argument.name), plainAddress(textOf(argument.value))];
  if (name === 'topic') return guideTopics.filter((topic) => topic.startsWith(value));
  // A number may be written with spaces and brackets, and with what a link or a call from abroad puts before it.
  if (/Phone|Number|From|To/.test(name))
    return known.complete('phone', value.replace(/^tel:|[\s().-]/gi, '').replace(/^(?:00|011)(?=[1-9]\d{6})/, '+'));
  return name === 'OrderId' ? known.complete('JNUOID', value) : [];
}

/** The text of a prompt with its arguments filled in, which are read like those of a tool. */
async function filledIn(prompt: Prompt, given: Fields, gate: () => Promise<Gate>) {
  const names = prompt.arguments.map((argument) => argument.name);
  const values: Record<string, string> = {};
  for (const [key, value] of Object.entries(given)) {
    const argument = prompt.arguments.find((one) => one.name.toLowerCase() === key.toLowerCase());
    if (!argument) {
      const takes = `${prompt.name} takes ${names.join(', ')}`;
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
