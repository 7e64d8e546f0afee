import type { ActionReply } from "@/lib/console/gateway/problem";
import type { Conversation, ConversationDraft } from "@/lib/contract/operations/playground/conversations";
import { cutText } from "@/lib/contract/plain-text";
import { newLocalId } from "../panes/pane";
import type { Workbench } from "../workbench";
import type { WorkbenchStore } from "../workbench-store";
import { hashContent, toContent, toTitle } from "./saved-content";

type SaveState =
  | { readonly kind: "unsaved" | "saving" | "saved" }
  | { readonly kind: "failed"; readonly reason: string }
  /** Another tab or session has saved a different version, which is null if it can't be read, or has deleted it. */
  | { readonly kind: "stale"; readonly current: Conversation | null; readonly isDeleted: boolean };

/** Says why a conversation that has unsaved edits isn't left. */
export function explainUnsaved(state: SaveState): string {
  if (state.kind === "failed") return `The open conversation is not saved: ${state.reason}`;
  return "Another tab or session has changed the open conversation. Decide first which version to keep.";
}

/** Under which id the workbench is saved, and the state of saving. */
export interface OpenConversation {
  readonly id: string;
  /** The gateway's version; null before the first save. */
  readonly version: string | null;
  /** The title given by the person; null if it is derived from the first message. */
  readonly title: string | null;
  readonly isShared: boolean;
  /** True if the conversation belongs to somebody else. Continuing it starts a copy that belongs to the person. */
  readonly isForeign: boolean;
  /** Whose it is, if it is somebody else's and they are known. */
  readonly author?: string | null | undefined;
  /**
   * Hashes of contents that this tab has read or sent. If the gateway has one of these, nobody else has changed the
   * content.
   */
  readonly known: readonly string[];
  readonly state: SaveState;
}

export function createConversation(): OpenConversation {
  const state = { kind: "unsaved" as const };
  return {
    id: `conv_${newLocalId()}`,
    version: null,
    title: null,
    isShared: false,
    isForeign: false,
    known: [],
    state,
  };
}

/** Returns the properties of a stored conversation that this tab continues with. */
export function storedProperties(
  { version, title, is_shared: isShared }: Conversation,
  workbench: Workbench,
) {
  return { version: version ?? null, title: title === toTitle(workbench) ? null : title, isShared };
}

/**
 * The stored workbench; null if it can't be read. Calls of somebody else's conversation run as the person who opens it.
 * Loads the schema first, which no page needs that restores nothing.
 */
export async function readStoredWorkbench({
  content,
  is_own: isOwn,
}: Conversation): Promise<Workbench | null> {
  const { restoreWorkbench } = await import("./restore-workbench");
  const workbench = restoreWorkbench(content);
  return workbench && !isOwn ? { ...workbench, runAs: undefined } : workbench;
}

/** A stored conversation as it is opened. Somebody else's opens as a new one, which a change makes a copy. */
export function toOpenConversation(found: Conversation, workbench: Workbench): OpenConversation {
  const opened = {
    ...createConversation(),
    known: [hashContent(workbench)],
    state: { kind: "saved" as const },
  };
  if (!found.is_own) return { ...opened, isForeign: true, author: found.owner_name };
  return { ...opened, ...storedProperties(found, workbench), id: found.id };
}

/** What is saved of a workbench; null if it is too large. */
export function buildConversationBody(
  workbench: Workbench,
  { title, isShared }: Pick<OpenConversation, "title" | "isShared">,
  projectId: string | null,
): ConversationDraft | null {
  const content = toContent(workbench);
  if (!content) return null;
  return { title: title ?? toTitle(workbench), project_id: projectId, is_shared: isShared, content };
}

/** The title of the copy of a conversation. */
export function titleCopy(title: string | null, workbench: Workbench): string {
  return `${cutText(title ?? toTitle(workbench), 70)} (copy)`;
}

/** The gateway's operations on conversations. */
export interface ConversationGateway {
  save(input: { id: string; body: ConversationDraft; version?: string }): Promise<ActionReply<Conversation>>;
  read(id: string): Promise<ActionReply<Conversation>>;
}

export interface Timers {
  set(work: () => void, ms: number): number;
  clear(timer: number): void;
}

export type AutosaveOptions = {
  store: Pick<
    WorkbenchStore,
    "workbench" | "subscribe" | "change" | "stopCallsOfPage" | "detach" | "resume" | "clear"
  >;
  gateway: ConversationGateway;
  projectId: string | null;
  /** True if the gateway can store conversations. */
  storesConversations: boolean;
  timers: Timers;
};
