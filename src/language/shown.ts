/** One record of an answer, by the name that finds it. */
export interface ShownRecord {
  /** The number of a line, and the name of any other record. */
  name: string;
  /** The customer of a line. */
  holder?: string;
  /** The account of a line. */
  account?: string;
  /** True for a line that is cancelled. */
  isCancelled?: true;
}

/** The records that an answer showed. Words such as "it" of the next message mean them. */
export interface Shown {
  /** The noun of their kind: "line", "message route". */
  noun: string;
  records: readonly ShownRecord[];
  /** The records that the card of the only one names beside it: its routes, its package. */
  beside?: readonly { noun: string; name: string }[];
}

/** The records that the answer to a message showed. */
export interface ToldShown {
  /** The message. */
  text: string;
  shown: Shown;
}

/** The records that the answer to each message showed, where they are known. */
export function shownBy(messages: readonly string[], told: readonly ToldShown[]): (Shown | undefined)[] {
  let end = told.length;
  return messages
    .toReversed()
    .map((text) => {
      const at = told.slice(0, end).findLastIndex((one) => one.text.trim() === text);
      if (at >= 0) end = at;
      return told[at]?.shown;
    })
    .toReversed();
}
