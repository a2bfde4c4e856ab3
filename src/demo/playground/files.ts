// Files that the app and people upload, and what an image block can show of them.
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import type { Fields } from '../../lib/values.ts';
import { Recent } from './recent.ts';

/** Maximum size of a file in bytes. Slack accepts far larger files. */
export const MAX_FILE = 1_000_000;
/** Number of the newest files that are kept. */
const KEPT_FILES = 200;
/** The pattern of file ids. Slack quotes it when it refuses an id. */
const ID_PATTERN = /^[F][A-Z0-9]{8,}$/;
/** The image types that `slack_file` accepts, by their first bytes. */
const IMAGES: readonly { type: string; begins: readonly number[] }[] = [
  { type: 'image/png', begins: [0x89, 0x50, 0x4e, 0x47] },
  { type: 'image/jpeg', begins: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', begins: [0x47, 0x49, 0x46, 0x38] },
];

/** Types that are known by the end of a name, with Slack's name for each. */
const BY_NAME: readonly { ending: string; type: string; filetype: string }[] = [
  { ending: '.csv', type: 'text/csv', filetype: 'csv' },
  { ending: '.txt', type: 'text/plain', filetype: 'text' },
  { ending: '.json', type: 'application/json', filetype: 'json' },
  { ending: '.pdf', type: 'application/pdf', filetype: 'pdf' },
];

function typeOf(name: string, data: Buffer): string {
  const image = IMAGES.find(({ begins }) => begins.every((byte, i) => data[i] === byte));
  const named = BY_NAME.find(({ ending }) => name.toLowerCase().endsWith(ending));
  return image?.type ?? named?.type ?? 'application/octet-stream';
}

/** Slack's short name of a type. */
function filetypeOf(mimetype: string): string {
  const image = /^image\/(\w+)$/.exec(mimetype)?.[1]?.replace('jpeg', 'jpg');
  return image ?? BY_NAME.find(({ type }) => type === mimetype)?.filetype ?? 'binary';
}

export interface StoredFile {
  id: string;
  name: string;
  title: string;
  altText: string | undefined;
  /** The size in bytes that the app announced. */
  length: number;
  /** The last part of its upload address. */
  uploadKey: string;
  data: Buffer | undefined;
  /** Detected from the first bytes; `application/octet-stream` for anything but an image. */
  mimetype: string;
  /** When Slack has processed it (Unix ms); undefined until the upload is completed. */
  readyAt: number | undefined;
  created: number;
  isDeleted: boolean;
  /** Id of the person who uploaded it; undefined for the app. */
  user: string | undefined;
  /** The channels it was shared to. If there are none, only the app can see it. */
  channels: string[];
}

/**
 * Files of the workspace. An upload by the app takes three steps: `reserve` (`files.getUploadURLExternal`), `receive`
 * (the request to that address) and `complete` (`files.completeUploadExternal`).
 */
export class Files {
  /**
   * Time between `complete` and the moment at which blocks can show the file, in ms. Slack processes files in a job.
   */
  processingMs = 0;
  /** The address of this workspace, which serves the files to the app. */
  baseUrl: string | undefined;
  readonly #clock: Clock;
  readonly #teamId: string;
  readonly #files = new Map<string, StoredFile>();
  readonly #newest = new Recent<string>(KEPT_FILES);

  constructor(clock: Clock, teamId: string) {
    this.#clock = clock;
    this.#teamId = teamId;
  }

  /** Registers a file that is going to be uploaded. */
  reserve({ name, length, altText }: Pick<StoredFile, 'name' | 'length' | 'altText'>): StoredFile {
    const file: StoredFile = {
      id: `F${randomBytes(8).toString('hex').toUpperCase()}`,
      name,
      title: name,
      altText,
      length,
      uploadKey: randomBytes(16).toString('hex'),
      data: undefined,
      mimetype: '',
      readyAt: undefined,
      created: this.#clock.now(),
      isDeleted: false,
      user: undefined,
      channels: [],
    };
    this.#files.set(file.id, file);
    this.#files.delete(this.#newest.push(file.id) ?? '');
    return file;
  }

  /**
   * Stores the content sent to an upload address. False if there is no such address or the size is not as announced.
   */
  receive(uploadKey: string, data: Buffer): boolean {
    const file = [...this.#files.values()].find((one) => one.uploadKey === uploadKey);
    if (!file || file.data || file.isDeleted || data.length !== file.length) return false;
    file.data = data;
    file.mimetype = typeOf(file.name, data);
    return true;
  }

  /** Stores a file that a person uploaded. */
  add({ name, data, user }: { name: string; data: Buffer; user: string }): StoredFile {
    const file = this.reserve({ name, length: data.length, altText: undefined });
    this.receive(file.uploadKey, data);
    file.user = user;
    this.complete(file.id, undefined, []);
    return file;
  }

  /** Ends an upload; undefined if nothing was uploaded under this id. */
  complete(id: string, title: string | undefined, channels: readonly string[]): StoredFile | undefined {
    const file = this.find(id);
    if (!file?.data) return undefined;
    file.title = title ?? file.title;
    file.channels = [...new Set([...file.channels, ...channels])];
    file.readyAt ??= this.#clock.now() + this.processingMs;
    return file;
  }

  /** Returns a file unless it was deleted. */
  find(id: string): StoredFile | undefined {
    const file = this.#files.get(id);
    return file?.isDeleted === false ? file : undefined;
  }

  /** True for an id that was deleted. */
  wasDeleted(id: string): boolean {
    return this.#files.get(id)?.isDeleted === true;
  }

  /** Deletes a file. Messages that show it keep their blocks. */
  remove(file: StoredFile): void {
    file.isDeleted = true;
    file.data = undefined;
  }

  /** Returns the image that a `slack_file` object refers to; undefined if it cannot be shown now. */
  image(slackFile: Fields): StoredFile | undefined {
    const file =
      typeof slackFile.id === 'string'
        ? this.find(slackFile.id)
        : [...this.#files.values()].find((one) =>
            [this.urlOf(one), this.permalinkOf(one)].includes(`${slackFile.url}`),
          );
    if (!file || file.isDeleted || !file.mimetype.startsWith('image/')) return undefined;
    return file.readyAt !== undefined && this.#clock.now() >= file.readyAt ? file : undefined;
  }

  /**
   * Returns the reason why Slack refuses a `slack_file` object, with the member at fault; undefined if Slack accepts
   * it.
   */
  problem(slackFile: Fields): { member: string; message: string } | undefined {
    const { id } = slackFile;
    if (typeof id === 'string' && !ID_PATTERN.test(id))
      return { member: '/id', message: `input must match regex pattern: ${ID_PATTERN.source}` };
    return this.image(slackFile) ? undefined : { member: '', message: 'invalid slack file' };
  }

  /** Returns a file as `files.info` shows it. Its type is not known before Slack has processed it. */
  payload(file: StoredFile): Fields {
    const isReady = file.readyAt !== undefined && this.#clock.now() >= file.readyAt;
    return {
      id: file.id,
      created: Math.floor(file.created / 1000),
      timestamp: Math.floor(file.created / 1000),
      name: file.name,
      title: file.title,
      mimetype: isReady ? file.mimetype : '',
      filetype: isReady ? filetypeOf(file.mimetype) : '',
      size: file.data?.length ?? 0,
      mode: 'hosted',
      is_external: false,
      is_public: false,
      public_url_shared: false,
      url_private: this.urlOf(file),
      url_private_download: this.urlOf(file),
      ...(file.user === undefined ? {} : { user: file.user }),
      permalink: this.permalinkOf(file),
      channels: file.channels,
      ...(file.altText === undefined ? {} : { alt_txt: file.altText }),
    };
  }

  urlOf(file: StoredFile): string {
    return `${this.baseUrl ?? 'https://files.slack.com'}/files-pri/${this.#teamId}-${file.id}/${encodeURIComponent(file.name)}`;
  }

  permalinkOf(file: StoredFile): string {
    return `https://switchboard-demo.slack.com/files/U000BOT/${file.id}/${encodeURIComponent(file.name)}`;
  }
}
