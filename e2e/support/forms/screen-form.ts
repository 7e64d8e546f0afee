import type { Gatehouse } from "../programs/start-gatehouse";

/** A form of the console, and how a user starts to fill it in. */
export type ScreenForm = {
  /** The file that shows it, and of several forms in one file the component: "keys/key-dialogs.tsx RenameKey". */
  file: string;
  path: string;
  /**
   * Creates the object that the form edits.
   * @returns the path of its page.
   */
  createPage?: (gatehouse: Gatehouse, projectId: string) => Promise<string>;
  /** The button that opens the form's dialog, or the menu with `entry`. */
  button?: string;
  entry?: string;
  /** The label of the field to fill in. */
  field: string;
  /** What a question calls the field, if that isn't its label. */
  calledField?: string;
  /** The text to type; for a select, the option's value. */
  input: string;
  /** The field's initial value; empty by default. */
  saved?: string;
  /** The title of the dialog that asks before the input is discarded. */
  discardTitle: RegExp;
  /** It asks the gateway what the input would do while it is typed, which saves nothing. */
  previews?: boolean;
  /** Secrets to type as well, which must not be stored as drafts. */
  secrets?: Readonly<Record<string, string>>;
};
