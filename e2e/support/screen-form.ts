import type { Gatehouse } from "./start-gatehouse";

/** A form of the console, and how somebody begins to fill it in. */
export type ScreenForm = {
  path: string;
  /** Makes what the form changes. @returns the path of its page. */
  make?: (gatehouse: Gatehouse, projectId: string) => Promise<string>;
  /** Opens the dialog that the form is in, or the menu that has its `entry`. */
  button?: string;
  entry?: string;
  /** The field that is typed in, what is typed (the value of the option in a list), and what the question says of it. */
  field: string;
  text: string;
  /** What the field begins with; empty unless said otherwise. */
  saved?: string;
  loss: RegExp;
  /** Secrets typed besides, which no browser keeps. */
  secrets?: Readonly<Record<string, string>>;
};
