import type { Clock } from '../../../lib/clock.ts';
import type { Fields } from '../../../lib/json.ts';
import type { Log } from '../../../lib/log.ts';
import type { Database } from '../../../store/types.ts';
import { SlackRefusal } from './refusal.ts';
import type { WebApi } from './web.ts';

export interface PicturesOptions {
  web: WebApi;
  /** The store's area `slack-seen`. */
  database: Database;
  clock: Clock;
  log: Log;
  /** The content of a window after its picture was deleted while it was open. */
  expired: Fields;
}

export interface Picture {
  png: Uint8Array;
  /** Name and title of the file in Slack. They must not say what the picture shows. */
  name: string;
  title: string;
}

interface Row {
  file: string;
  view_id: string;
  delete_at: number;
}

/**
 * Time after its upload at which a picture is deleted, if its window was not closed before. With the sweep, this is
 * within five minutes.
 */
const KEEP_MS = 4.5 * 60_000;
/** Interval between checks for pictures to delete. */
const SWEEP_MS = 30_000;
/** Delays between attempts to show a file, which Slack may not have processed yet when a block refers to it. */
const PROCESSING_MS = [500, 1_000, 2_000, 3_000, 4_000];
/**
 * Time after which a file that Slack does not delete is left to the workspace's administrators, with an error in the
 * log.
 */
const GIVE_UP_MS = 24 * 60 * 60_000;
/** Maximum number of pictures in one sweep. */
const ROUND = 50;

/**
 * Pictures that one person sees in one window. A picture is uploaded without a channel, so that it is private to the
 * app, and the window shows it as a `slack_file`. Slack requires that the sender of the blocks has access to the file
 * ("Slack file object" in its reference). It does not say if the reader needs access too, so the window must also show
 * the content as text. The picture is deleted when the window is closed, and after five minutes at the latest, also by
 * another process and after a restart.
 *
 * Neither a message nor an ephemeral one is used: a message would share the file to its channel, and Slack does not
 * notify the app when an ephemeral message is gone.
 */
export class Pictures {
  readonly #options: PicturesOptions;
  /** Uploads under way, by window. */
  readonly #uploads = new Map<string, Promise<string>>();
  #sweep: Promise<void> = Promise.resolve();
  #timer: unknown;
  #closed = false;

  constructor(options: PicturesOptions) {
    this.#options = options;
  }

  /** Deletes the pictures that are due, now and at intervals. */
  start(): void {
    this.#sweep = this.#deleteDue().finally(() => {
      if (!this.#closed) this.#timer = this.#options.clock.setTimeout(() => this.start(), SWEEP_MS);
    });
  }

  /** Waits for deletions in progress. Pictures that are not due yet are deleted by the next process. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#options.clock.clearTimeout(this.#timer);
    await Promise.allSettled([this.#sweep, ...this.#uploads.values()]);
  }

  /**
   * Uploads a picture for an open window and shows it there. Rejects with `SlackRefusal` if Slack does not take it; the
   * window is then as it was, and the picture is deleted.
   *
   * @param viewOf the window's content, given the file's id
   */
  async show(view: string, picture: Picture, viewOf: (file: string) => Fields): Promise<void> {
    const upload = this.#upload(view, picture);
    this.#uploads.set(view, upload);
    try {
      const file = await upload.finally(() => this.#uploads.delete(view));
      await this.#update(view, viewOf(file));
    } catch (error) {
      await this.viewClosed(view);
      throw error;
    }
  }

  /** Deletes the pictures of a window. */
  async viewClosed(view: string): Promise<void> {
    await this.#uploads.get(view)?.catch(() => undefined);
    const { database } = this.#options;
    const rows = await database.all<Row>('SELECT * FROM slack_pictures WHERE view_id = ?', view);
    for (const row of rows) await this.#delete(row);
  }

  async #upload(view: string, { png, name, title }: Picture): Promise<string> {
    const { web, database, clock } = this.#options;
    const { id, url } = await web.reserveUpload({ name, length: png.length });
    // Stored first: if the process ends, the next one deletes the file.
    const insert = 'INSERT INTO slack_pictures (file, view_id, delete_at) VALUES (?, ?, ?)';
    await database.run(insert, id, view, clock.now() + KEEP_MS);
    await web.upload(url, png);
    await web.completeUpload(id, title);
    return id;
  }

  async #update(view: string, shown: Fields): Promise<void> {
    const { web } = this.#options;
    for (let tried = 0; ; tried += 1) {
      try {
        return await web.updateView(view, shown);
      } catch (error) {
        const wait = PROCESSING_MS[tried];
        if (wait === undefined || !isProcessing(error)) throw error;
        await web.sleep(wait);
      }
    }
  }

  async #deleteDue(): Promise<void> {
    const { web, database, clock, log, expired } = this.#options;
    try {
      const due = `SELECT * FROM slack_pictures WHERE delete_at <= ? ORDER BY delete_at LIMIT ${ROUND}`;
      for (const row of await database.all<Row>(due, clock.now())) {
        if ((await this.#delete(row)) !== 'deleted') continue;
        await web.updateView(row.view_id, expired).catch((error: unknown) => {
          log('debug', { error: String(error) }, 'the window of a deleted picture is not open any more');
        });
      }
    } catch (error) {
      log('warn', { error: String(error) }, 'failed to look for pictures to delete; trying again');
    }
  }

  /** `gone`: it was deleted before, or its upload never ended. `failed`: it is tried again later. */
  async #delete({ file, delete_at }: Row): Promise<'deleted' | 'gone' | 'failed'> {
    const { web, database, clock, log } = this.#options;
    const late = clock.now() - delete_at;
    let result: 'deleted' | 'gone' = 'deleted';
    try {
      await web.deleteFile(file);
    } catch (error) {
      const reason = error instanceof SlackRefusal ? error.reason : '';
      // Before it is due, its upload may still be under way in another process.
      if (reason === 'file_not_found' && late < 0) return 'failed';
      if (reason !== 'file_deleted' && reason !== 'file_not_found') {
        const isOver = late > GIVE_UP_MS;
        const what = isOver
          ? 'Slack did not delete a picture; delete it by hand'
          : 'failed to delete a picture in Slack';
        log(isOver ? 'error' : 'warn', { file, error: String(error) }, what);
        if (!isOver) return 'failed';
      }
      result = 'gone';
    }
    await database.run('DELETE FROM slack_pictures WHERE file = ?', file);
    return result;
  }
}

/** Slack's answer to a `slack_file` that it has not processed yet. */
function isProcessing(error: unknown): boolean {
  return error instanceof SlackRefusal && !error.ambiguous && /invalid[ _]slack[ _]file/i.test(error.message);
}
