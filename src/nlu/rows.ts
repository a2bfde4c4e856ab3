/** A sentence that teaches the reader, as it stands in `tools/<group>/words.json`. */
export interface Row {
  /** The message. */
  says: string;
  /**
   * What it asks for: the id of an operation, with `:kind` for one kind of it (`numbers_status:park`), or a topic that is
   * no operation. Any one of several is right; `none` is any topic.
   */
  means: string | readonly string[];
  /** Values by field. `Query` is what the search of lines and customers looks for. */
  fills?: Readonly<Record<string, unknown>>;
  /** Earlier messages of the same thread. */
  after?: readonly string[];
  /** Operations that must not be offered; one that begins with "_" is the end of their ids. */
  never?: readonly string[];
  /** The table that it came from, so that a measurement can keep tables apart. */
  from: string;
}

/** Topics: what a message may ask for that is no operation. */
export const TOPICS = [
  /** What can be asked here. */
  'help',
  /** Thanks, a greeting or a yes: nothing is asked. */
  'thanks',
  /** What waits for a person. */
  'waiting',
  /** The open offer, or a waiting change of the writer, is taken back. Nothing is withdrawn by the words. */
  'withdraw',
  /** Something that was done is to be undone. */
  'undo_last',
  /** What a change does, costs or needs. `operation` is the change, where it is known. */
  'consequence',
  /** Who may do or approve something. */
  'who_may',
  /** Whether the platform is up. */
  'health',
  /** One change of many records. */
  'batch',
  /** Something that is not done here, or that was not understood. */
  'not_here',
] as const;
export type About = (typeof TOPICS)[number];

/** The operation that a label stands for; the topic itself for a topic. */
export function operationOf(label: string): string {
  const cut = label.indexOf(':');
  return cut < 0 ? label : label.slice(0, cut);
}

/** A label as a thread keeps it: kinds of an operation count as one, but for those that do the contrary of each other. */
export function threadLabel(label: string): string {
  return label.startsWith('numbers_status:') ? label : operationOf(label);
}

/** The labels of a row, among those that are known: an operation without a kind is any kind of it. */
export function labelsOf({ means }: Pick<Row, 'means'>, labels: readonly string[]): string[] {
  return [means].flat().flatMap((one) => {
    if (one === 'none') return [...TOPICS];
    return one.includes(':') ? [one] : labels.filter((label) => operationOf(label) === one);
  });
}
