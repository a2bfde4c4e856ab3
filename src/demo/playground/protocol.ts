// The messages between the server and the script of the page.
import type { Fields } from '../../lib/values.ts';

/** The content that the page shows to one person in one place. The members that are markup are safe HTML. */
export interface Snapshot {
  places: string;
  title: string;
  note: string;
  /** Placeholder of the composer. */
  hint: string;
  /** True if people can be mentioned in this place. */
  mentions: boolean;
  list: string;
  /** The dialog on top; '' if none is open. */
  modal: string;
  version: number;
}

/** The result of something that a person did. */
export interface Done {
  outcome: 'acked' | 'timeout' | 'failed' | 'refused';
  reason?: string;
  /** Errors at the fields of a form. */
  errors?: Record<string, string>;
  /** The choices of a typeahead. */
  options?: { text: { text: string }; value: string }[];
}

/** A file that a person chose in a form. */
export interface Chosen {
  id: string;
  name: string;
}

export interface Command {
  command: string;
  description?: string;
  usageHint?: string;
}

/** A person or the app, as the composer offers it after `@`. */
export interface Mention {
  name: string;
  text: string;
}

/** One step of the tour, and the condition by which the page notices that it is done. */
export interface TourStep {
  text: string;
  /** Id of the user who does it. */
  as: string;
  /** A button that does it, with its label: it writes `fill`, or changes to the user `becomes`. */
  button?: string;
  fill?: string;
  becomes?: string;
  /**
   * Done when the last message that contains `about` offers `action` or, if `offered` is false, no longer offers it and
   * matches the pattern of one of `ends`.
   */
  shows?: { about: string; action: string; offered: boolean };
  /** The ways in which the step ends. The tour closes with the text of the first that matches. */
  ends?: readonly { says: string; text: string }[];
}

/** Anything that the script sends to `/do`. */
export type Act = Fields & { kind: string };
