"use client";

import { useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from "react";
import { saveConversation } from "@/components/playground/conversations/conversation-actions";
import type {
  ConversationGateway,
  OpenConversation,
} from "@/components/playground/conversations/open-conversation";
import { hashContent, isBlank } from "@/components/playground/conversations/saved-content";
import {
  fromStoredWorkbench,
  type StoredWorkbench,
} from "@/components/playground/conversations/stored-workbench";
import { isPaneRunning } from "@/components/playground/panes/pane";
import { defaultSettings } from "@/components/playground/settings";
import { markStopped, type Workbench } from "@/components/playground/workbench";
import type { WorkbenchStore } from "@/components/playground/workbench-store";
import { callAction } from "@/components/queries/actions/call-action";
import { describeConsoleFailure, fetchRead } from "@/components/queries/reads/fetch-read";
import { registerBeforeSignOut } from "@/components/session/page-person";
import { useProjectNames } from "@/components/shell/project/shell-projects";
import { toast } from "@/components/ui/dialog/toast";
import { useDraftLocation } from "@/components/ui/drafts/draft-scope";
import { readDraft, saveDraft } from "@/components/ui/drafts/drafts";
import type { Problem } from "@/lib/console/gateway/problem";
import { paths } from "@/lib/console/paths";
import { isObject } from "@/lib/contract/json-value";
import { ConversationAutosave } from "./conversation-autosave";
import { ConversationSwitch } from "./conversation-switch";
import { withoutLargeParts } from "./without-large-parts";

type UseAutosaveOptions = {
  store: WorkbenchStore;
  projectId: string | null;
  /** The conversation id from the address. */
  conversationId: string | undefined;
  /** True if the gateway can store conversations. */
  storesConversations: boolean;
  /** Starts a new conversation, instead of opening the latest one, if this tab has none. */
  beginsAnew: boolean;
  /** A workbench from the address for a new conversation. It replaces the one in this tab. */
  instead: Workbench | null;
  /** Adapts the workbench restored in this tab. */
  adopt: (workbench: Workbench) => Workbench;
};

const LOCAL_AFTER_MS = 300;
/** The delay while an answer streams. Leaving the page saves at once. */
const LOCAL_WHILE_RUNNING_MS = 2_000;
/** Number of recent conversations that are searched for one of this project. */
const LOOKED_AT = 20;

const NOT_FOUND = "There is no such conversation: it was deleted, or it isn’t shared with you.";

const gateway: ConversationGateway = {
  save: (input) => callAction(() => saveConversation(input), "none"),
  read: (id) =>
    fetchRead("retrieveConversation", { conversation_id: id }, new AbortController().signal).then(
      (data) => ({ ok: true as const, data }),
      notFound,
    ),
};

/** The project that a conversation belongs to, if it is another than this page's: its limits and balance apply. */
async function findOtherProject(id: string, projectId: string | null): Promise<string | null> {
  const reply = await gateway.read(id);
  if (!reply.ok || projectId === null || reply.data.project_id === projectId) return null;
  return reply.data.project_id;
}

/** People have a link, not an id. */
function notFound(error: unknown): { readonly ok: false } & Problem {
  const problem = describeConsoleFailure(error, "none");
  return { ok: false, ...problem, ...(problem.code === "not_found" && { message: NOT_FOUND }) };
}

const timers = {
  set: (work: () => void, ms: number) => window.setTimeout(work, ms),
  clear: (timer: number) => window.clearTimeout(timer),
};

/**
 * Saves the workbench: in this tab at once, so that a reload loses nothing, and to the gateway soon after, for other
 * sessions.
 */
export function useAutosave(options: UseAutosaveOptions) {
  const { store, projectId, storesConversations } = options;
  const location = useDraftLocation("playground");
  const findName = useProjectNames();
  const knowsProject = (id: string) => findName(id) !== undefined;
  const [{ autosave, conversations }] = useState(() => create(options));
  const conversation = useSyncExternalStore(
    autosave.subscribe,
    () => autosave.conversation,
    () => autosave.conversation,
  );
  // Until it is open there is nothing to edit: what was typed meanwhile would be replaced.
  const [isOpening, setIsOpening] = useState(options.conversationId !== undefined);
  const begin = useEffectEvent(async () => {
    const values = location && readDraft(location)?.values;
    const local = values ? readStoredTab(values) : null;
    const { draft } = store.workbench;
    if (local) restore(autosave, store, local, options.adopt);
    const { conversationId } = options;
    if (conversationId) {
      const elsewhere = await findOtherProject(conversationId, projectId);
      if (elsewhere !== null && knowsProject(elsewhere))
        return window.location.replace(paths.playground(elsewhere, { conversation: conversationId }));
      const refusal = await conversations.open(conversationId).finally(() => setIsOpening(false));
      // Remove the parameter, so that a reload doesn't open it again but restores the edited state.
      if (refusal === null) window.history.replaceState(null, "", window.location.pathname);
      else toast({ message: refusal, tone: "bad" });
    } else if (options.instead && local)
      await startFromAddress(conversations, store, { ...options.instead, draft });
    else if (options.instead) window.history.replaceState(null, "", window.location.pathname);
    else if (local) await conversations.refresh();
    else if (storesConversations && !options.beginsAnew) await openLatest(conversations, store, projectId);
  });
  useEffect(() => {
    if (!location) return;
    const saveInTab = () =>
      saveDraft(location, {
        values: { workbench: withoutLargeParts(store.workbench), conversation: autosave.conversation },
        base: null,
      });
    return keepSaved({
      store,
      autosave,
      conversations,
      storesConversations,
      saveInTab,
      begin: () => begin(),
    });
  }, [store, autosave, conversations, location, storesConversations]);
  return useMemo(
    () => ({ conversation, autosave, conversations, isOpening }),
    [conversation, autosave, conversations, isOpening],
  );
}

type KeptSaved = Pick<UseAutosaveOptions, "store" | "storesConversations"> & {
  autosave: ConversationAutosave;
  conversations: ConversationSwitch;
  saveInTab: () => void;
  /** Opens what this tab had open. */
  begin: () => Promise<void>;
};

/**
 * Saves the workbench in this tab and in its conversation from now on. Returns a function that ends it with the page.
 */
function keepSaved({ store, autosave, conversations, storesConversations, ...tab }: KeptSaved): () => void {
  let timer: number | null = null;
  const saveInTab = () => {
    if (timer !== null) window.clearTimeout(timer);
    timer = null;
    tab.saveInTab();
  };
  const later = () => {
    const isRunning = store.workbench.panes.some(isPaneRunning);
    timer ??= window.setTimeout(saveInTab, isRunning ? LOCAL_WHILE_RUNNING_MS : LOCAL_AFTER_MS);
  };
  const saveNow = () => {
    if (timer !== null) saveInTab();
    void autosave.flush();
  };
  // What a call has answered by then is saved as well, so it stops first.
  const finish = () => {
    store.stopCallsOfPage();
    return autosave.flush();
  };
  const leaves = [registerBeforeSignOut(finish)];
  // Wait for hydration: the server rendered a page without a conversation.
  queueMicrotask(() => {
    leaves.push(autosave.follow(), store.subscribe(later), autosave.subscribe(later));
    if (storesConversations) leaves.push(followOtherTabs(autosave, conversations));
    void tab.begin();
  });
  window.addEventListener("pagehide", saveNow);
  return () => {
    store.stopCallsOfPage();
    store.detach();
    saveNow();
    for (const leave of leaves) leave();
    window.removeEventListener("pagehide", saveNow);
  };
}

function create({ store, projectId, storesConversations }: UseAutosaveOptions) {
  const autosave = new ConversationAutosave({ store, gateway, projectId, storesConversations, timers });
  const save = () => void autosave.flush();
  if (storesConversations) store.storeAnswersIn({ conversationId: () => autosave.conversation.id, save });
  return { autosave, conversations: new ConversationSwitch(autosave, { store, gateway }) };
}

export type AutosavedWorkbench = ReturnType<typeof useAutosave>;

/** Restores this tab's workbench. Unsaved edits are saved as usual, or reported as stale. */
function restore(
  autosave: ConversationAutosave,
  store: WorkbenchStore,
  local: StoredTab,
  adopt: (workbench: Workbench) => Workbench,
): void {
  const stored = markStopped(local.workbench);
  // Text typed before the page's script had loaded follows the existing text.
  const draft = [stored.draft, store.workbench.draft].filter((text) => text !== "").join("\n");
  const workbench = { ...stored, draft };
  autosave.load(workbench, local.conversation);
  if (adopt(workbench) !== workbench) store.change(adopt);
}

/**
 * Saves this tab's conversation, then starts a new one, with what was typed before or meanwhile. A reload continues
 * the new one.
 */
async function startFromAddress(
  conversations: ConversationSwitch,
  store: WorkbenchStore,
  workbench: Workbench,
): Promise<void> {
  const isSaved = await conversations.startAnother();
  if (isSaved) store.change(({ draft }) => ({ ...workbench, draft: draft || workbench.draft }));
  else
    toast({
      message: "The open conversation is not saved. Decide first which version to keep.",
      tone: "bad",
    });
  window.history.replaceState(null, "", window.location.pathname);
}

/** Opens the person's latest conversation in this project, unless they have started to write meanwhile. */
async function openLatest(
  conversations: ConversationSwitch,
  store: WorkbenchStore,
  projectId: string | null,
) {
  const list = await fetchRead(
    "listOwnConversations",
    { limit: String(LOOKED_AT) },
    new AbortController().signal,
  ).catch(() => null);
  const latest = list?.data.find(({ project_id }) => project_id === projectId);
  if (!latest) return;
  const found = await gateway.read(latest.id);
  if (found.ok) await conversations.show(found.data, () => isBlank(store.workbench));
}

const CHANNEL = "gatehouse:conversations";

/**
 * Shows what another tab of this browser saves in the open conversation, and on coming back what another session saved.
 * A tab with unsaved edits keeps them.
 * @returns a function that ends it.
 */
function followOtherTabs(
  autosave: Pick<ConversationAutosave, "conversation" | "subscribe">,
  conversations: Pick<ConversationSwitch, "refresh">,
): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  let known = autosave.conversation.version;
  const refresh = () => {
    // A message that is being edited is not part of the workbench yet.
    if (document.querySelector("[data-pane] textarea") === null) void conversations.refresh();
  };
  channel.onmessage = ({ data }) => {
    if (data === autosave.conversation.id) refresh();
  };
  const tell = autosave.subscribe(() => {
    const { id, version, state } = autosave.conversation;
    if (version === known) return;
    known = version;
    if (state.kind === "saved" && version !== null) channel.postMessage(id);
  });
  const comeBack = () => {
    if (document.visibilityState === "visible") refresh();
  };
  document.addEventListener("visibilitychange", comeBack);
  return () => {
    tell();
    channel.close();
    document.removeEventListener("visibilitychange", comeBack);
  };
}

type StoredTab = { readonly workbench: Workbench; readonly conversation: OpenConversation };
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
