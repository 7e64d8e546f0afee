import { type Attachment, isRunning, type Message, resetAnswer, runningTask } from "./messages/message";
import { answersNext, newLocalId, newPane, type Pane, refusesText } from "./panes/pane";
import { defaultSettings, type Settings } from "./settings";

/** A key that calls are made as, or a role that calls are previewed as. */
export interface RunAs {
  /** `key_…` or `role_…` */
  readonly id: string;
  readonly name: string;
}

/** The part of the workbench's state that is saved. */
export interface Workbench {
  readonly panes: readonly Pane[];
  /** The settings of all panes without their own. */
  readonly shared: Settings;
  /** The text in the message field. */
  readonly draft: string;
  /**
   * The text of a message that every pane refused, if the message field got it back: the next message replaces that
   * one.
   */
  readonly returned?: string | undefined;
  /** Values for the variables in its texts, by name. They are filled in when a call is sent. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** The saved prompt that the workbench was opened from or saved as. */
  readonly promptId?: string | undefined;
  /** The key or role that calls are made as; the signed-in person if absent. */
  readonly runAs?: RunAs | undefined;
  /** True if calls continue when the page is left. */
  readonly keepsRunning?: boolean | undefined;
}

/** More panes would be too narrow to read, and each keeps a stream open. */
export const MAX_PANES = 8;

export function newWorkbench(model: string, settings: Partial<Settings> = {}): Workbench {
  return { panes: [newPane(model)], shared: { ...defaultSettings, ...settings }, draft: "" };
}

export function findSettings(workbench: Workbench, pane: Pane): Settings {
  return pane.own ?? workbench.shared;
}

export function withPane(workbench: Workbench, id: string, change: (pane: Pane) => Pane): Workbench {
  return { ...workbench, panes: workbench.panes.map((pane) => (pane.id === id ? change(pane) : pane)) };
}

/** Puts a message that every pane refused back into the draft, unless something else was typed meanwhile. */
export function withReturned(workbench: Workbench, text: string): Workbench {
  const isReturned = workbench.draft === "" && workbench.panes.every((pane) => refusesText(pane, text));
  return isReturned ? { ...workbench, draft: text, returned: text } : workbench;
}

/** Removes from the draft what it got back, unless it was changed since: the message is answered again where it is. */
export function withoutReturned(workbench: Workbench): Workbench {
  const { draft, returned } = workbench;
  return { ...workbench, draft: draft === returned ? "" : draft, returned: undefined };
}

/**
 * Adds the person's message to every pane, and removes it from the draft, which can have grown since. It replaces a
 * refused one that the draft got back.
 */
export function withWritten(
  workbench: Workbench,
  text: string,
  attachments: readonly Attachment[],
): Workbench {
  const { draft, returned, panes } = workbench;
  const isAgain = returned !== undefined && panes.every((pane) => refusesText(pane, returned));
  const files = attachments.length > 0 && { attachments };
  return {
    ...workbench,
    draft: draft.startsWith(text) ? draft.slice(text.length) : draft,
    returned: undefined,
    panes: panes.map((pane) => {
      const before = isAgain ? pane.messages.slice(0, -2) : pane.messages;
      return { ...pane, messages: [...before, { id: newLocalId(), role: "user", text, ...files }] };
    }),
  };
}

/** Returns the messages that Send would send from a pane; null if there is nothing to send. */
export function nextMessages(
  workbench: Workbench,
  pane: Pane,
  attachments: readonly Attachment[] = [],
): readonly Message[] | null {
  const { draft } = workbench;
  if (draft.trim() === "" && attachments.length === 0) return answersNext(pane) ? pane.messages : null;
  const written = withWritten(workbench, draft, attachments).panes.find(({ id }) => id === pane.id);
  return written?.messages ?? null;
}

/** Marks answers whose calls ended with the page as stopped. Answers of calls that continued are read again. */
export function markStopped(workbench: Workbench): Workbench {
  const left = (message: Message): Message => {
    const { call } = message;
    if (!call || !isRunning(call) || runningTask(message)) return message;
    return call.keptAs ? resetAnswer(message) : { ...message, call: { ...call, state: "stopped" } };
  };
  return {
    ...workbench,
    panes: workbench.panes.map((pane) => ({ ...pane, messages: pane.messages.map(left) })),
  };
}
