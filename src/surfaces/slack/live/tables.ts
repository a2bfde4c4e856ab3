import { recordOf } from '../../../lib/json.ts';
import type { Log } from '../../../lib/log.ts';
import type { Block } from '../blocks/text.ts';
import { SlackRefusal } from './refusal.ts';

/** How Slack says that it does not take a message's blocks: a code of the Web API, or the status of a response_url. */
const REFUSED: ReadonlySet<string> = new Set(['invalid_blocks', 'status 400']);

/**
 * Tables that people can sort and page in Slack (`data_table`). Where Slack refuses them, the process sends plain tables
 * from then on.
 */
export class Tables {
  readonly #log: Log;
  #isPlain = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Sends blocks, and once more with plain tables if Slack refuses them and takes those. */
  async send<T>(blocks: readonly Block[], run: (blocks: readonly Block[]) => Promise<T>): Promise<T> {
    if (this.#isPlain || !blocks.some(isDataTable)) return run(this.#isPlain ? blocks.map(plainTable) : blocks);
    try {
      return await run(blocks);
    } catch (error) {
      if (!(error instanceof SlackRefusal) || error.ambiguous || !REFUSED.has(error.reason)) throw error;
      const sent = await run(blocks.map(plainTable));
      this.#isPlain = true;
      this.#log('info', { error: String(error) }, 'Slack refused a data_table; plain tables are sent from now on');
      return sent;
    }
  }
}

function isDataTable({ type }: Block): boolean {
  return type === 'data_table';
}

function plainTable(block: Block): Block {
  if (!isDataTable(block)) return block;
  const { rows, block_id } = recordOf(block);
  return { type: 'table', rows, ...(block_id === undefined ? {} : { block_id }) };
}
