import { MINUTE_MS, sleep } from '../../../lib/clock.ts';
import { Unavailable } from '../../../lib/errors.ts';
import { type Fields, textOf } from '../../../lib/values.ts';
import type { Handler } from '../../../work/worker.ts';
import { SlackRefusal } from '../api/web.ts';
import { expiredQr } from '../blocks/result.ts';
import type { Services } from './messages.ts';

/*
 * Pictures that one person sees in one window. A picture is uploaded without a channel, so that it is private to the
 * app, and the window shows it as a `slack_file`. Slack requires that the sender of the blocks has access to the file
 * ("Slack file object" in its reference). It does not say if the reader needs access too, so the window must also show
 * the content as text. The picture is deleted when the window is closed, and after five minutes at the latest, also by
 * another process and after a restart.
 *
 * Neither a message nor an ephemeral one is used: a message would share the file to its channel, and Slack does not
 * notify the app when an ephemeral message is gone.
 */

/** Name and title of the files in Slack. They must not say what the picture shows. */
const NAME = 'esim.png';
const TITLE = 'eSIM';
/** Time after its upload at which a picture is deleted, if its window was not closed before. */
const KEEP_MS = 4.5 * MINUTE_MS;
/** The kind of the job that deletes the picture of one window. */
export const PICTURE = 'slack.picture';
/** Delays between attempts to show a file, which Slack may not have processed yet when a block refers to it. */
const PROCESSING_MS = [500, 1_000, 2_000, 3_000, 4_000];

/**
 * Uploads a picture for an open window and shows it there. Rejects with `SlackRefusal` if Slack does not take it; the
 * window is then as it was, and the picture is deleted.
 *
 * @param viewOf the window's content, given the file's id
 */
export async function showPicture(services: Services, view: string, png: Uint8Array, viewOf: (file: string) => Fields) {
  const { web, jobs, clock } = services;
  try {
    const { id, url } = await web.reserveUpload({ name: NAME, length: png.length });
    // Stored first: if the process ends, the next one deletes the file.
    const runAt = clock.now() + KEEP_MS;
    await jobs.add({ kind: PICTURE, key: `${PICTURE} ${view}`, payload: { file: id, view, at: runAt }, runAt });
    await web.upload(url, png);
    await web.completeUpload(id, TITLE);
    await showFile(services, view, viewOf(id));
  } catch (error) {
    await pictureClosed(services, view);
    throw error;
  }
}

/** Deletes the picture of a window. One that is being uploaded is deleted when it cannot be shown any more. */
export async function pictureClosed({ jobs, worker }: Services, view: string): Promise<void> {
  await jobs.hasten(`${PICTURE} ${view}`);
  worker.look();
}

async function showFile({ web, clock }: Services, view: string, shown: Fields): Promise<void> {
  for (let tried = 0; ; tried += 1) {
    try {
      return await web.updateView(view, shown);
    } catch (error) {
      const wait = PROCESSING_MS[tried];
      // Slack's answer to a file that it has not processed yet.
      const isProcessing =
        error instanceof SlackRefusal && !error.ambiguous && /invalid[ _]slack[ _]file/i.test(error.message);
      if (wait === undefined || !isProcessing) throw error;
      await sleep(clock, wait);
    }
  }
}

/** Handles the job that deletes the picture of a window. */
export function deletePicture({ web, clock, log }: Services): Handler {
  return async ({ payload }) => {
    const isDue = clock.now() >= Number(payload.at);
    try {
      await web.call('files.delete', { file: payload.file });
    } catch (error) {
      const reason = error instanceof SlackRefusal ? error.reason : '';
      // Before it is due, its upload may still be under way in another process.
      if (reason === 'file_deleted' || (reason === 'file_not_found' && isDue)) return undefined;
      throw new Unavailable(`failed to delete a picture in Slack: ${String(error)}`);
    }
    if (isDue)
      await web.updateView(textOf(payload.view), expiredQr).catch((error: unknown) => {
        log('debug', { error: String(error) }, 'the window of a deleted picture is not open any more');
      });
    return undefined;
  };
}
