import { afterEach, beforeAll } from 'vitest';
import type { Assistant } from '../../../src/assistant/assistant.ts';
import type { Actor } from '../../../src/lib/actor.ts';
import { loadConfig } from '../../../src/lib/config.ts';
import { openAssistant } from '../../../src/start/assistant.ts';
import type { Runtime } from '../../../src/start/runtime.ts';
import { runAsk } from '../../../src/surfaces/cli/ask.ts';
import { type ModelApi, type ScriptedModel, scriptedModel } from '../../support/models.ts';
import { onSandbox } from '../../support/on-sandbox.ts';
import { type ScriptedReader, scriptedReader } from '../../support/readers.ts';
import { openWorld, type World } from '../../support/world.ts';
import { typing, typist } from './typing.ts';

/* `switchboard ask` in this process, on one world for all tests of a file. */

export const KEY = 'a-key-that-nobody-may-read';
export let world: World;
export let model: ScriptedModel;

beforeAll(async () => {
  world = await openWorld();
});
afterEach(() => world.reset());

/** Opens the model of the next assistants. A test closes it. */
export async function openModel(api: ModelApi): Promise<void> {
  model = await scriptedModel(api, KEY);
}

/** The assistant of `switchboard start`, with a model or without. */
export function assistantOf(
  env: Record<string, string> = {},
  parts: Partial<Runtime> = {},
  reader?: () => ScriptedReader,
): Assistant {
  const config = loadConfig({ ...onSandbox(world.sandbox.url), DATA_DIR: world.folder, ...env });
  // The world's own worker takes each kind of job once.
  const worker = { on: () => undefined } as never;
  return openAssistant(config, { ...world.runtime, worker, ...parts }, reader);
}

export const MODEL = (api: ModelApi = 'openai-compatible') => ({
  ASSISTANT_MODEL: 'test-model',
  ASSISTANT_URL: model.url,
  ASSISTANT_KEY: KEY,
  ASSISTANT_API: api,
});

export function withModel(api: ModelApi, more: Record<string, string> = {}): Assistant {
  return assistantOf({ ...MODEL(api), ...more });
}

/** An assistant without a model, whose reader understands these messages. */
export function withReader(script: Parameters<typeof scriptedReader>[0]): Assistant {
  const reader = scriptedReader(script);
  return assistantOf({}, {}, () => reader);
}

interface How {
  role?: Actor['role'];
  /** The text that is typed at a question. If it is left out, there is no terminal. */
  types?: string;
  args?: string[];
  /** The time of this computer, epoch ms. */
  now?: () => number;
}

/** Types `switchboard ask`. */
export async function ask(
  assistant: Assistant,
  text: string,
  { role = 'approver', types, args = [], now = Date.now }: How = {},
) {
  const { io, said } = typing({ tty: types !== undefined, ...(types !== undefined && { types }) });
  const { gate, batches } = world.runtime;
  const code = await runAsk([text, ...args], {
    ...{ ...io, now },
    actor: { ...typist({ role }), person: 'local:ana' },
    openDoor: async () => ({ gate, batches, assistant, close: async () => undefined }),
  });
  return { code, ...said };
}
