// The methods for files: upload in three steps, read, delete.
import type { Fields } from '../../lib/values.ts';
import { channelFor, contentOf, type Method, type MethodEntry, need, Refusal, structured } from './arguments.ts';
import { MAX_FILE, type StoredFile } from './files.ts';
import type { State } from './state.ts';
import { objects, str } from './types.ts';

const getUploadUrl: Method = (state, args, base) => {
  const name = need(args, 'filename');
  const length = Number(args.length);
  if (!Number.isInteger(length) || length < 1)
    throw new Refusal('invalid_arguments', {
      response_metadata: { messages: ['[ERROR] missing required field: length'] },
    });
  if (length > MAX_FILE) throw new Refusal('file_upload_size_restricted');
  const file = state.files.reserve({ name, length, altText: str(args.alt_txt) ?? str(args.alt_text) });
  return { upload_url: `${base()}/upload/v1/${file.uploadKey}`, file_id: file.id };
};

/** Completes an upload. Without a channel, only the app can see the files. */
const completeUpload: Method = (state, args) => {
  const given = objects(structured(args.files));
  if (given.length === 0) throw new Refusal('invalid_arguments');
  const channel = str(args.channel_id) ? channelFor(state, { channel: args.channel_id }) : undefined;
  const threadTs = str(args.thread_ts);
  if (channel && threadTs && !state.message(threadTs, channel.id)) throw new Refusal('thread_not_found');
  const known = given.map(({ id }) => state.files.find(String(id)));
  if (!known.every((file) => file?.data)) throw new Refusal('file_not_found');
  const files = given.flatMap(({ id, title }) => {
    const file = state.files.complete(String(id), str(title), channel ? [channel.id] : []);
    return file ? [file] : [];
  });
  if (channel) share(state, args, { channel: channel.id, threadTs, files });
  return { files: files.map((file) => state.files.payload(file)) };
};

/** Posts the message with which Slack shows shared files. `blocks` is ignored if there is an `initial_comment`. */
function share(
  state: State,
  args: Fields,
  { channel, threadTs, files }: { channel: string; threadTs: string | undefined; files: readonly StoredFile[] },
): void {
  const comment = str(args.initial_comment) ?? '';
  const blocks =
    comment === '' && args.blocks !== undefined ? (contentOf(state, { blocks: args.blocks }).blocks ?? []) : [];
  state.post({ channel, threadTs, text: comment, blocks, files: files.map(({ id }) => id), source: 'api' });
}

function fileOf(state: State, args: Fields): StoredFile {
  const id = need(args, 'file');
  if (state.files.wasDeleted(id)) throw new Refusal('file_deleted');
  const file = state.files.find(id);
  if (!file) throw new Refusal('file_not_found');
  return file;
}

const remove: Method = (state, args) => {
  state.files.remove(fileOf(state, args));
  state.changed();
  return {};
};

const info: Method = (state, args) => ({ file: state.files.payload(fileOf(state, args)) });

/** Slack has ended the upload in one step. */
const uploadAtOnce: Method = () => {
  throw new Refusal('method_deprecated');
};

export const FILE_METHODS: Readonly<Record<string, MethodEntry>> = {
  'files.getUploadURLExternal': { run: getUploadUrl, scopes: ['files:write'] },
  'files.completeUploadExternal': { run: completeUpload, scopes: ['files:write'] },
  'files.upload': { run: uploadAtOnce, scopes: ['files:write'] },
  'files.delete': { run: remove, scopes: ['files:write'] },
  'files.info': { run: info, scopes: ['files:read'] },
};
