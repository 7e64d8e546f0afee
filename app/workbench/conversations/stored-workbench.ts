import type { CallState, Message } from "../messages/message";
import type { Pane, Workbench } from "../panes/pane";

/** What is stored names the call of a message `run`. A change of that name would close every conversation saved before. */
type StoredMessage = Omit<Message, "call"> & { readonly run?: CallState };
type StoredPane = Omit<Pane, "messages"> & { readonly messages: readonly StoredMessage[] };
/** A workbench as conversations and tabs store it. */
export type StoredWorkbench = Omit<Workbench, "panes"> & { readonly panes: readonly StoredPane[] };

export function toStoredWorkbench({ panes, ...workbench }: Workbench): StoredWorkbench {
  return {
    ...workbench,
    panes: panes.map((pane) => ({
      ...pane,
      messages: pane.messages.map(({ call, ...message }) => (call ? { ...message, run: call } : message)),
    })),
  };
}

export function fromStoredWorkbench({ panes, ...workbench }: StoredWorkbench): Workbench {
  return {
    ...workbench,
    panes: panes.map((pane) => ({
      ...pane,
      messages: pane.messages.map(({ run, ...message }) => (run ? { ...message, call: run } : message)),
    })),
  };
}
