import type { CallState, Message } from "../messages/message";
import type { Pane } from "../panes/pane";
import type { Workbench } from "../workbench";

/**
 * What is stored has two names of its own. A change of one would close every conversation saved before, or drop the
 * choice.
 */
type StoredMessage = Omit<Message, "call"> & { readonly run?: CallState };
type StoredPane = Omit<Pane, "messages"> & { readonly messages: readonly StoredMessage[] };
/** A workbench as conversations and tabs store it: `call` of a message is `run`, and `keepsRunning` is `goesOn`. */
export type StoredWorkbench = Omit<Workbench, "panes" | "keepsRunning"> & {
  readonly panes: readonly StoredPane[];
  readonly goesOn?: boolean | undefined;
};

export function toStoredWorkbench({ panes, keepsRunning, ...workbench }: Workbench): StoredWorkbench {
  return {
    ...workbench,
    ...(keepsRunning !== undefined && { goesOn: keepsRunning }),
    panes: panes.map((pane) => ({
      ...pane,
      messages: pane.messages.map(({ call, ...message }) => (call ? { ...message, run: call } : message)),
    })),
  };
}

export function fromStoredWorkbench({ panes, goesOn, ...workbench }: StoredWorkbench): Workbench {
  return {
    ...workbench,
    ...(goesOn !== undefined && { keepsRunning: goesOn }),
    panes: panes.map((pane) => ({
      ...pane,
      messages: pane.messages.map(({ run, ...message }) => (run ? { ...message, call: run } : message)),
    })),
  };
}
