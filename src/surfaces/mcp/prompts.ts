import { guideTopics, type Prompt } from '../../../tools/surfaces/assistants.ts';
import type { Completions } from '../../platform/dialect/completions.ts';
import { INVALID_PARAMS, type PromptResult, ProtocolError } from './protocol.ts';

/** The prompts as a client lists them. */
export function listPrompts(prompts: readonly Prompt[]) {
  return prompts.map(({ text: _text, needs: _needs, arguments: args, ...prompt }) => ({
    ...prompt,
    arguments: [...args],
  }));
}

/** The text of one prompt with its arguments filled in. */
export function getPrompt(
  prompts: readonly Prompt[],
  name: string,
  given: Readonly<Record<string, string>>,
): PromptResult {
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
export function completeArgument(known: Completions, argument: { name: string; value: string }): string[] {
  if (argument.name === 'topic') return guideTopics.filter((topic) => topic.startsWith(argument.value));
  if (/Phone|Number|From|To/.test(argument.name)) return known.complete('phone', argument.value);
  return argument.name === 'OrderId' ? known.complete('JNUOID', argument.value) : [];
}
