import type { Gatehouse } from "./start-gatehouse";

/** A form of the console, and how a user starts to fill it in. */
export type ScreenForm = {
  path: string;
  /** Creates the object that the form edits. @returns the path of its page. */
  make?: (gatehouse: Gatehouse, projectId: string) => Promise<string>;
  /** The button that opens the form's dialog, or the menu with `entry`. */
  button?: string;
  entry?: string;
  /** The field to fill in, the text to type (for a select, the option's value), and its name in the question. */
  field: string;
  text: string;
  /** The field's initial value; empty by default. */
  saved?: string;
  loss: RegExp;
  /** Secrets to type as well, which must not be stored as drafts. */
  secrets?: Readonly<Record<string, string>>;
};
