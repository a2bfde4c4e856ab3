// Messages that the app streams: their chunks, and the blocks that Slack makes of them.
import { defined, type Fields } from '../../lib/values.ts';
import { checkBlocks } from './limits.ts';
import { type MessageStream, objects, str } from './types.ts';

/** Slack ends a stream about five minutes after it started, and leaves the message as it is. */
const LIFE_MS = 5 * 60_000;
export const MAX_MARKDOWN = 12_000;
const MAX_TASK_FIELD = 256;
const MAX_BLOCKS = 50;
const STATUSES: readonly unknown[] = ['pending', 'in_progress', 'complete', 'error'];

/** The place of tasks: one after another within the text, or all in one plan. */
export type TaskDisplay = 'timeline' | 'plan' | 'dense';

type Part = { kind: 'text'; text: string } | { kind: 'task'; task: Fields } | { kind: 'blocks'; blocks: Fields[] };

/** One streamed message, from `chat.startStream` to `chat.stopStream`. */
export class Stream implements MessageStream {
  readonly #display: TaskDisplay;
  readonly #startedAt: number;
  readonly #parts: Part[] = [];
  #planTitle: string | undefined;
  #end: 'stopped' | 'stopped_by_user' | undefined;

  /** @param now the time in Unix ms */
  constructor(display: TaskDisplay, now: number) {
    this.#display = display;
    this.#startedAt = now;
  }

  state(now: number): ReturnType<MessageStream['state']> {
    return this.#end ?? (now - this.#startedAt > LIFE_MS ? 'expired' : 'streaming');
  }

  stop(by: 'app' | 'user'): void {
    this.#end = by === 'app' ? 'stopped' : 'stopped_by_user';
    if (by === 'app') return;
    for (const part of this.#parts)
      if (part.kind === 'task' && part.task.status === 'in_progress') part.task.status = 'error';
  }

  /** Adds chunks that have no problem. */
  append(chunks: readonly Fields[]): void {
    for (const chunk of chunks) {
      if (chunk.type === 'markdown_text') this.#addText(String(chunk.text));
      else if (chunk.type === 'task_update') this.#updateTask(chunk);
      else if (chunk.type === 'plan_update') this.#planTitle = String(chunk.title);
      else this.#parts.push({ kind: 'blocks', blocks: objects(chunk.blocks) });
    }
  }

  text(): string {
    return this.#parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');
  }

  blocks(): Fields[] {
    const isPlan = this.#display !== 'timeline' || this.#planTitle !== undefined;
    const shown = isPlan ? [...this.#plan(), ...this.#parts.filter(({ kind }) => kind !== 'task')] : this.#parts;
    return shown.flatMap((part) => {
      if ('type' in part) return [part];
      if (part.kind === 'text') return part.text.trim() === '' ? [] : [{ type: 'markdown', text: part.text }];
      return part.kind === 'task' ? [taskCard(part.task)] : part.blocks;
    });
  }

  #plan(): { type: 'plan'; title: string; tasks: Fields[] }[] {
    const tasks = this.#parts.flatMap((part) => (part.kind === 'task' ? [taskCard(part.task)] : []));
    const last = tasks.at(-1);
    if (!last) return [];
    return [{ type: 'plan', title: this.#planTitle ?? String(last.title), tasks }];
  }

  #addText(text: string): void {
    const last = this.#parts.at(-1);
    if (last?.kind === 'text') last.text += text;
    else this.#parts.push({ kind: 'text', text });
  }

  /** A later update of a task replaces its title and status, and adds to its details and output. */
  #updateTask(chunk: Fields): void {
    const part = this.#parts.find((one) => one.kind === 'task' && one.task.id === chunk.id);
    if (part?.kind !== 'task') {
      this.#parts.push({ kind: 'task', task: { ...chunk } });
      return;
    }
    const { task } = part;
    for (const name of ['details', 'output'] as const) {
      if (chunk[name] !== undefined) task[name] = `${str(task[name]) ?? ''}${String(chunk[name])}`;
    }
    Object.assign(task, defined({ title: chunk.title, status: chunk.status, sources: chunk.sources }));
  }
}

function taskCard({ id, title, status, details, output, sources }: Fields): Fields {
  return {
    type: 'task_card',
    task_id: id,
    title,
    status,
    ...defined({ details: richText(details), output: richText(output), sources }),
  };
}

function richText(text: unknown): Fields | undefined {
  if (typeof text !== 'string' || text === '') return undefined;
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }] };
}

/** Returns why Slack refuses chunks; undefined if it accepts them. */
export function chunksProblem(chunks: unknown): 'invalid_chunks' | 'msg_too_long' | undefined {
  if (!Array.isArray(chunks) || chunks.length === 0 || objects(chunks).length !== chunks.length)
    return 'invalid_chunks';
  const found = objects(chunks).map(chunkProblem);
  return found.find((problem) => problem !== undefined);
}

function chunkProblem(chunk: Fields): 'invalid_chunks' | 'msg_too_long' | undefined {
  const isText = (value: unknown, max: number) => typeof value === 'string' && value.length <= max;
  switch (chunk.type) {
    case 'markdown_text':
      if (typeof chunk.text !== 'string') return 'invalid_chunks';
      return chunk.text.length > MAX_MARKDOWN ? 'msg_too_long' : undefined;
    case 'task_update': {
      const isNamed = isText(chunk.id, MAX_TASK_FIELD) && isText(chunk.title, MAX_TASK_FIELD);
      const areShort = [chunk.details, chunk.output].every(
        (part) => part === undefined || isText(part, MAX_TASK_FIELD),
      );
      return isNamed && areShort && STATUSES.includes(chunk.status) ? undefined : 'invalid_chunks';
    }
    case 'plan_update':
      return isText(chunk.title, MAX_TASK_FIELD) ? undefined : 'invalid_chunks';
    case 'blocks': {
      const { blocks } = chunk;
      const isList = Array.isArray(blocks) && blocks.length <= MAX_BLOCKS;
      return isList && checkBlocks(blocks, 'message').length === 0 ? undefined : 'invalid_chunks';
    }
    default:
      return 'invalid_chunks';
  }
}
