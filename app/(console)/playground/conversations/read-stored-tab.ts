import type { OpenConversation } from "@/components/playground/conversations/open-conversation";
import { hashContent } from "@/components/playground/conversations/saved-content";
import {
  fromStoredWorkbench,
  type StoredWorkbench,
} from "@/components/playground/conversations/stored-workbench";
import { defaultSettings } from "@/components/playground/settings";
import type { Workbench } from "@/components/playground/workbench";
import { isObject } from "@/lib/contract/json-value";

export type StoredTab = { readonly workbench: Workbench; readonly conversation: OpenConversation };
type Stored = Readonly<Record<string, unknown>>;

/**
 * Reads what a tab stored of its workbench, without the schema of saved conversations: that would have to be loaded
 * before the page can be used.
 * @returns null if it has another shape, as before the console was updated.
 */
export function readStoredTab({ workbench: stored, conversation }: Stored): StoredTab | null {
  if (!isWorkbench(stored) || !isConversation(conversation)) return null;
  const workbench = fromStoredWorkbench(stored);
  // The tab may have sent it before a reload, without receiving the reply.
  const known = [...conversation.known, hashContent(workbench)];
  // What is being saved or has failed when the tab is left is unsaved when it is back.
  const state = { kind: conversation.state.kind === "saved" ? ("saved" as const) : ("unsaved" as const) };
  return { workbench, conversation: { ...conversation, known, state } };
}

function isConversation(value: unknown): value is OpenConversation {
  return (
    isObject(value) &&
    isText(value.id) &&
    /^conv_[0-9a-z]{8,40}$/.test(value.id) &&
    (value.version === null || isText(value.version)) &&
    (value.title === null || isText(value.title)) &&
    typeof value.isShared === "boolean" &&
    typeof value.isForeign === "boolean" &&
    (value.author === undefined || value.author === null || isText(value.author)) &&
    isListOf(value.known, isText) &&
    isObject(value.state) &&
    isText(value.state.kind)
  );
}

function isWorkbench(value: unknown): value is StoredWorkbench {
  return (
    isObject(value) &&
    isText(value.draft) &&
    isSettings(value.shared) &&
    isListOf(value.panes, isPane) &&
    value.panes.length > 0
  );
}

function isPane(value: unknown): value is StoredWorkbench["panes"][number] {
  return (
    isObject(value) &&
    isText(value.id) &&
    isText(value.model) &&
    typeof value.width === "number" &&
    (value.own === null || isSettings(value.own)) &&
    isListOf(value.messages, isMessage)
  );
}

function isMessage(value: unknown): boolean {
  if (!isObject(value) || !isText(value.id) || !isText(value.role) || !isText(value.text)) return false;
  return (
    value.run === undefined || (isObject(value.run) && isText(value.run.model) && isText(value.run.state))
  );
}

function isSettings(value: unknown): value is Workbench["shared"] {
  return isObject(value) && Object.keys(defaultSettings).every((name) => isText(value[name]));
}

function isListOf<Item>(
  value: unknown,
  isItem: ((item: unknown) => item is Item) | ((item: unknown) => boolean),
): value is readonly Item[] {
  return Array.isArray(value) && value.every((item) => isItem(item));
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
