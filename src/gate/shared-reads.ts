import type { ListedIn } from '../catalogue/batch-rule.ts';
import type { Call } from '../catalogue/operation.ts';
import { canonical } from '../ledger/action.ts';
import type { Fields } from '../lib/json.ts';
import type { ToolIndex } from './tool-index.ts';

/** Fewer rows are read one by one. */
const LEAST_ROWS = 20;
/** Rows for each page of a list. With fewer, reading one by one is about as cheap. */
const ROWS_PER_PAGE = 2;
/** More pages would take too long at the platform's request limit. */
const MOST_PAGES = 30;

type Records = ReadonlyMap<string, Fields>;

/**
 * Answers of reads that the rows of a batch share: one customer is read once, and many records are taken from the pages
 * of a list. A record that the list does not have is read by itself.
 */
export class SharedReads {
  readonly #tools: ToolIndex;
  readonly #rows: number;
  readonly #answers = new Map<string, Promise<Fields>>();
  readonly #lists = new Map<string, Promise<Records | undefined>>();

  /** @param rows number of rows that will be read */
  constructor(tools: ToolIndex, rows: number) {
    this.#tools = tools;
    this.#rows = rows;
  }

  /** Calls that send a request only for what was not read yet. A failure is not kept. */
  calls(call: Call): Call {
    return (id, input) => {
      const key = `${id} ${canonical(input)}`;
      const answer = this.#answers.get(key) ?? this.#read(id, input, call);
      this.#answers.set(key, answer);
      answer.catch(() => this.#answers.delete(key));
      return answer;
    };
  }

  async #read(id: string, input: Fields, call: Call): Promise<Fields> {
    const listed = this.#tools.get(id).listed;
    const value = listed && Object.keys(input).length === 1 ? input[listed.by] : undefined;
    if (listed === undefined || typeof value !== 'string' || this.#rows < LEAST_ROWS) return call(id, input);
    const reading = this.#lists.get(listed.operation);
    if (reading === undefined) {
      // The first record is read by itself too, because a list that shows it differently cannot be used.
      const sample = call(id, input);
      this.#lists.set(listed.operation, this.#list(listed, value, sample, call));
      return sample;
    }
    return (await reading)?.get(value) ?? call(id, input);
  }

  async #list(listed: ListedIn, value: string, sample: Promise<Fields>, call: Call): Promise<Records | undefined> {
    try {
      const record = await sample;
      const records = await this.#pages(listed, call);
      const row = records.get(value);
      const isSame = row !== undefined && listed.same.every((name) => (row[name] ?? '') === (record[name] ?? ''));
      return isSame ? records : undefined;
    } catch {
      return undefined;
    }
  }

  /** All pages; only the first if there are too many. */
  async #pages({ operation, key, rows, total, size, page }: ListedIn, call: Call): Promise<Records> {
    const records = new Map<string, Fields>();
    const most = Math.min(MOST_PAGES, this.#rows / ROWS_PER_PAGE);
    for (let n = 1; n <= most; n += 1) {
      const answer = await call(operation, page(n));
      const found = Array.isArray(answer[rows]) ? (answer[rows] as Fields[]) : [];
      for (const row of found) if (typeof row?.[key] === 'string') records.set(row[key], row);
      const isTooLong = Number(answer[total]) > most * size;
      if (found.length < size || isTooLong) break;
    }
    return records;
  }
}
