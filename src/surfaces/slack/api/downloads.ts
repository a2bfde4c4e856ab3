import { readListFile } from '../../../batches/csv.ts';
import { FETCH_MS } from '../../../lib/durations.ts';
import { invalidInput } from '../../../lib/errors.ts';
import { parseUrl } from '../../../lib/url.ts';

const SLACK_FILES = 'https://files.slack.com';
/** Maximum size of a list in bytes: 500 rows with long texts fit. */
const MAX_BYTES = 1_000_000;

/** Reads the files that people choose in forms. The token is sent to Slack's own host alone. */
export class Downloads {
  readonly #token: string;
  readonly #origins: readonly string[];
  readonly #fetch: typeof globalThis.fetch;

  /** `apiUrl`: another base of the Web API, whose host then serves the files too. */
  constructor({ token, apiUrl, fetch }: { token: string; apiUrl: string | undefined; fetch: typeof globalThis.fetch }) {
    this.#token = token;
    this.#fetch = fetch;
    this.#origins = [SLACK_FILES, ...(apiUrl ? [new URL(apiUrl).origin] : [])];
  }

  /**
   * The text of a file. Rejects with `invalid_input` if it is too large, is no text, or Slack does not send it. Needs
   * the scope `files:read`.
   *
   * @param url its `url_private_download`
   */
  async text(url: string): Promise<string> {
    if (!this.#origins.includes(parseUrl(url)?.origin ?? ''))
      throw invalidInput('File', 'File: it is not stored in Slack. Upload it in the form.');
    const read = readListFile(await this.#bytes(url));
    if ('problem' in read) throw invalidInput('File', `File: it ${read.problem}`);
    return read.text;
  }

  async #bytes(url: string): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    let size = 0;
    try {
      const response = await this.#fetch(url, {
        headers: { authorization: `Bearer ${this.#token}` },
        signal: AbortSignal.timeout(FETCH_MS),
      });
      // Without the scope, Slack answers with its page for signing in.
      const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
      if (!response.ok || isPage || response.body === null) throw new Error(`status ${response.status}`);
      for await (const part of response.body) {
        size += part.length;
        if (size > MAX_BYTES) break;
        parts.push(part);
      }
    } catch {
      throw invalidInput('File', 'File: Slack did not send it. Try again, or paste the lines.');
    }
    if (size > MAX_BYTES) throw invalidInput('File', 'File: it is larger than 1 MB. Give at most 500 rows.');
    return Buffer.concat(parts);
  }
}
