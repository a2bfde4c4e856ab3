import * as z from 'zod';
import { bare, optional, webUrl, whole } from './setting-types.ts';

/** The settings of the model that answers plain words. */
export const assistantSettings = {
  ASSISTANT_MODEL: {
    type: optional(z.string().max(200)),
    about:
      'Name of the model that answers plain words, as its endpoint knows it. Unset: the catalogue answers, without a model.',
  },
  ASSISTANT_URL: {
    type: optional(bare(webUrl)),
    about:
      "Base URL of the model's endpoint, usually ending in /v1 (http://127.0.0.1:11434/v1 is Ollama on this computer). Not needed for Anthropic's own.",
  },
  ASSISTANT_KEY: { type: optional(z.string()), about: "Key of the model's endpoint, if it requires one." },
  ASSISTANT_API: {
    type: z
      .enum(['openai-compatible', 'anthropic'], { error: 'must be openai-compatible or anthropic' })
      .default('openai-compatible'),
    about: 'The protocol of the endpoint: openai-compatible or anthropic.',
  },
  ASSISTANT_STEPS: {
    type: whole(1, 50).default(12),
    about: 'Maximum number of operations that the model may call to answer one message.',
  },
} as const;

/** The problems of an incomplete set of settings of the assistant. */
export function assistantProblems(isGiven: (name: string) => boolean, api: string): string[] {
  const first = ['ASSISTANT_URL', 'ASSISTANT_KEY', 'ASSISTANT_API'].find(isGiven);
  if (!isGiven('ASSISTANT_MODEL')) return first === undefined ? [] : [`ASSISTANT_MODEL is missing; ${first} is set`];
  if (api === 'anthropic')
    return isGiven('ASSISTANT_KEY') || isGiven('ASSISTANT_URL')
      ? []
      : ['ASSISTANT_KEY is missing; ASSISTANT_API is anthropic'];
  return isGiven('ASSISTANT_URL')
    ? []
    : ["ASSISTANT_URL is missing; ASSISTANT_MODEL needs the address of the model's endpoint"];
}
