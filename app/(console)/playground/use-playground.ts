"use client";

import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { findFirstCallable } from "@/components/models/list-models";
import { callActions } from "@/components/playground/answers/call-actions";
import { answersNext, isPaneRunning, isWritten, newPane } from "@/components/playground/panes/pane";
import { hasSettings, type PlaygroundParameters } from "@/components/playground/playground-parameters";
import { listUnfilled } from "@/components/playground/variables/fill-workbench";
import { MAX_PANES, newWorkbench, type Workbench } from "@/components/playground/workbench";
import { WorkbenchStore } from "@/components/playground/workbench-store";
import { toast } from "@/components/ui/dialog/toast";
import { confirmLeave, registerUnsaved } from "@/components/ui/dialog/unsaved";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { AttachedFiles } from "./attachments/attached-files";
import type { ConversationSwitch } from "./conversations/conversation-switch";
import { useAutosave } from "./conversations/use-autosave";
import { findRefused, type Refused, stillRefused } from "./panes/refused-pane";
import { useRail } from "./settings/rail";
import { isRole } from "./settings/run-as";

export type PlaygroundOptions = {
  /** Models that answer prompts; null if they can't be listed. */
  models: readonly OrganizationModel[] | null;
  parameters: PlaygroundParameters;
  /** The conversation id from the address. */
  conversationId: string | undefined;
  /** True if the gateway can store conversations. */
  storesConversations: boolean;
  projectId: string | null;
};

/** The state of the playground: the workbench, the draft message, and what is visible. */
export function usePlayground(options: PlaygroundOptions) {
  const { models } = options;
  const { workbench, store, saved, isAsSent } = useWorkbench(options);
  const { files, attachments, isReading } = useAttachments();
  const { showNext, ...panes } = useShownPane(workbench, store, models);
  const [settingsPaneId, showPaneSettings] = useState<string | null>(null);
  const [isDiscardAsked, setDiscardAsked] = useState(false);
  const rail = useRail();
  const leadToFault = useLeadToFault();
  const input = useRef<HTMLTextAreaElement>(null);
  const { conversations } = saved;

  function refuse(next: Refused) {
    panes.show(next.paneId);
    if (next.faults.message ?? next.faults.options) return;
    showPaneSettings(next.paneId);
    rail.unfold();
    leadToFault();
  }
  const { refused, unfilled, ...sending } = useSending({
    store,
    files,
    models,
    isStarting: () => conversations.isStarting,
    refuse,
  });
  const startAnew = (how?: NewConversationOptions) =>
    confirmLeave(async () => {
      const isNew = await conversations.startAnother(how);
      setDiscardAsked(!isNew);
      if (isNew) focusAnew(input.current);
    });
  useShortcuts({
    KeyN: () => startAnew(),
    KeyP: panes.addPane,
    KeyS: rail.toggle,
    Period: () => showNext(1),
    Comma: () => showNext(-1),
  });

  const message = {
    ...describeMessage(workbench, store),
    attachments,
    attach: files.attach,
    detach: files.detach,
    isReading,
  };
  const composer = {
    input,
    message,
    sending: { ...describeSending(workbench), ...sending, stop: store.stop },
    keeping: options.storesConversations ? buildKeeping(workbench, store) : null,
    isAsSent,
  };
  return {
    workbench,
    store,
    saved,
    composer,
    unfilled,
    refused: refused && stillRefused(workbench, refused, attachments, models),
    rail,
    ...panes,
    startAnew,
    isDiscardAsked,
    closeDiscard: () => setDiscardAsked(false),
    settingsPaneId,
    showPaneSettings,
  };
}

function focusAnew(input: HTMLTextAreaElement | null): void {
  input?.focus();
  toast({ message: KEPT, tone: "neutral" });
}

const KEPT =
  "New conversation. The models, the instruction and the other settings are kept; values of variables and the open prompt are not.";

type NewConversationOptions = Parameters<ConversationSwitch["startAnother"]>[0];

function describeMessage({ draft: text }: Workbench, store: WorkbenchStore) {
  return { text, setText: (draft: string) => store.change((before) => ({ ...before, draft })) };
}

function describeSending({ panes, runAs }: Workbench) {
  return {
    isDryRun: isRole(runAs),
    isRunning: panes.some(isPaneRunning),
    canAnswer: panes.some(answersNext),
    paneCount: panes.length,
  };
}

function buildKeeping({ keepsRunning = false }: Workbench, store: WorkbenchStore) {
  return {
    keepsRunning,
    setKeepsRunning: (next: boolean) => store.change((before) => ({ ...before, keepsRunning: next })),
  };
}

/**
 * With Alt, so that typing doesn't trigger them. By physical key, because Alt changes the character on some keyboards.
 */
type Shortcuts = Readonly<Partial<Record<"KeyN" | "KeyP" | "KeyS" | "Period" | "Comma", () => void>>>;

function useShortcuts(shortcuts: Shortcuts): void {
  // This runs after every render, so that keys act on the current state.
  useEffect(() => {
    const act = (event: KeyboardEvent) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog:modal")) return;
      const shortcut = shortcuts[event.code as keyof Shortcuts];
      if (!shortcut) return;
      event.preventDefault();
      shortcut();
    };
    window.addEventListener("keydown", act);
    return () => window.removeEventListener("keydown", act);
  });
}

/** Returns a function that leads to the setting that kept a message from being sent, once it is shown. */
function useLeadToFault(): () => void {
  const [refusals, countRefusal] = useState(0);
  useEffect(() => {
    if (refusals > 0) focusFaultySetting();
  }, [refusals]);
  return () => countRefusal((before) => before + 1);
}

/**
 * The field of the setting gets the focus, and the caret stands where its
 * JSON breaks, as far as the browser says where.
 */
function focusFaultySetting(): void {
  const field = document.querySelector<HTMLInputElement | HTMLTextAreaElement>(
    'section[aria-label="Settings"] [aria-invalid="true"]',
  );
  if (!field) return;
  field.focus();
  field.scrollIntoView({ block: "center" });
  const fault = document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent ?? "";
  const position = /position (\d+)/.exec(fault)?.[1];
  if (position !== undefined && field.tagName === "TEXTAREA")
    field.setSelectionRange(Number(position), Number(position) + 1);
}

/** Tracks the pane shown on a phone, and adds panes. */
function useShownPane(
  workbench: Workbench,
  store: WorkbenchStore,
  models: readonly OrganizationModel[] | null,
) {
  const [shown, show] = useState<string | null>(null);
  const shownId = (workbench.panes.find(({ id }) => id === shown) ?? workbench.panes[0])?.id ?? "";
  function addPane() {
    if (workbench.panes.length >= MAX_PANES) return;
    const taken = workbench.panes.map(({ model }) => model);
    // Chat models come first, but a pane of the kind that is open is the likelier wish.
    const kinds = workbench.panes.map(({ model }) => models?.find(({ id }) => id === model)?.family);
    const free = models?.filter(({ id }) => !taken.includes(id)) ?? [];
    const next = free.find(({ family }) => kinds.includes(family)) ?? free[0];
    const written = workbench.panes.find(isWritten)?.messages ?? [];
    const pane = { ...newPane(next?.id ?? taken[0] ?? ""), messages: written };
    store.change((before) => ({ ...before, panes: [...before.panes, pane] }));
    show(pane.id);
  }
  function showNext(by: 1 | -1) {
    const { panes } = workbench;
    const at = (panes.findIndex(({ id }) => id === shownId) + by + panes.length) % panes.length;
    show(panes[at]?.id ?? null);
    // By position, because the server renders the first pane with a different id.
    document.querySelector<HTMLElement>(`[data-pane="${at + 1}"]`)?.focus();
  }
  return { shownId, show, addPane, showNext };
}

/** The files of the message being written. Leaving the page asks first, since they are not saved with its text. */
function useAttachments() {
  const [files] = useState(() => new AttachedFiles((message) => toast({ message, tone: "bad" })));
  const { attachments, isReading } = useSyncExternalStore(
    files.subscribe,
    () => files.state,
    () => files.state,
  );
  useEffect(
    () =>
      registerUnsaved({
        dialog: null,
        describe: () => describeLoss(files.state),
        discard: files.discard,
      }),
    [files],
  );
  return { files, attachments, isReading };
}

function describeLoss({ attachments, isReading }: AttachedFiles["state"]) {
  if (attachments.length === 0 && !isReading) return null;
  const isOne = attachments.length === 1;
  return {
    title: isOne ? "Discard the attached file?" : "Discard the attached files?",
    text: isOne
      ? "A file is saved with its message once that is sent or added."
      : "Files are saved with their message once that is sent or added.",
  };
}

type WorkbenchOptions = {
  models: readonly OrganizationModel[] | null;
  parameters: PlaygroundParameters;
  /** The conversation id from the address. */
  conversationId: string | undefined;
  projectId: string | null;
  /** True if the gateway can store conversations. */
  storesConversations: boolean;
};

/** Creates the workbench of this page and restores its saved state. Leaving the page stops its calls. */
function useWorkbench({
  models,
  parameters,
  conversationId,
  projectId,
  storesConversations,
}: WorkbenchOptions) {
  const chosen = models?.find(({ id }) => id === parameters.model)?.id;
  const first = models
    ? (chosen ?? findFirstCallable(models)?.id ?? models[0]?.id ?? "")
    : (parameters.model ?? "");
  const [begin] = useState(() => newWorkbench(first, parameters.settings));
  const [store] = useState(() => new WorkbenchStore(begin, projectId, models, callActions));
  const workbench = useSyncExternalStore(
    store.subscribe,
    () => store.workbench,
    () => store.workbench,
  );
  const saved = useAutosave({
    store,
    projectId,
    conversationId,
    storesConversations,
    beginsAnew: chosen !== undefined,
    instead: hasSettings(parameters) ? begin : null,
    adopt: (found) => withModel(found, chosen),
  });
  return { workbench, store, saved, isAsSent: isSameBut("draft", workbench, begin) };
}

/** True if nothing but one property was changed since. */
function isSameBut(name: keyof Workbench, now: Workbench, before: Workbench): boolean {
  const names = new Set([...Object.keys(now), ...Object.keys(before)]) as Set<keyof Workbench>;
  names.delete(name);
  return [...names].every((one) => now[one] === before[one]);
}

/** Puts the model from the address into the first pane. */
function withModel(workbench: Workbench, model: string | undefined): Workbench {
  const [first, ...others] = workbench.panes;
  return first && model ? { ...workbench, panes: [{ ...first, model }, ...others] } : workbench;
}

type SendingOptions = {
  store: WorkbenchStore;
  files: AttachedFiles;
  models: readonly OrganizationModel[] | null;
  /** True while a new conversation is being started. */
  isStarting: () => boolean;
  /** Shows where a pane that the message can't go to is wrong. */
  refuse: (refused: Refused) => void;
};

/** Sends the message being written, or adds it without sending. `refused` says why the last one wasn't sent. */
function useSending({ store, files, models, isStarting, refuse }: SendingOptions) {
  const [refused, setRefused] = useState<Refused | null>(null);
  const question = useUnfilledQuestion();
  const { isWaiting, once } = useMessage(store, files, isStarting);
  useEffect(() => dropFilesWithDraft(store, files), [store, files]);
  async function send(draft: string) {
    const faulty = findRefused({ ...store.workbench, draft }, files.state.attachments, models);
    setRefused(faulty);
    if (faulty) return refuse(faulty);
    const names = listUnfilled({ ...store.workbench, draft });
    if (question.isAsked(names)) return question.ask(names);
    const sent = files.take();
    if (draft.trim() === "" && sent.length === 0) return store.answerAll();
    if ((await store.send(draft, sent)) === "returned") files.restore(sent);
  }
  return {
    refused,
    isWaiting,
    send: () => void once(send),
    unfilled: question.shown && {
      names: question.shown,
      send: () => {
        question.sendAsWritten();
        void once(send);
      },
      close: question.close,
    },
    add: () => void once((draft) => store.add(draft, files.take())),
  };
}

/** Asks once about each variable without a value before it is sent as it is written. */
function useUnfilledQuestion() {
  const [shown, setShown] = useState<readonly string[] | null>(null);
  const sentAsWritten = useRef(new Set<string>());
  return {
    shown,
    isAsked: (names: readonly string[]) => names.some((name) => !sentAsWritten.current.has(name)),
    ask: (names: readonly string[]) => setShown(names),
    close: () => setShown(null),
    sendAsWritten() {
      for (const name of shown ?? []) sentAsWritten.current.add(name);
      setShown(null);
    },
  };
}

/** A message that was put back into the composer and then answered where it is leaves the composer with its files. */
function dropFilesWithDraft(store: WorkbenchStore, files: AttachedFiles): () => void {
  let { returned: before } = store.workbench;
  return store.subscribe(() => {
    const { returned, draft } = store.workbench;
    if (before !== undefined && returned === undefined && draft === "") files.dropRestored();
    before = returned;
  });
}

/**
 * Runs what takes the message being written: once its files are read, with the text of the press. What is typed while
 * they are read is the next message. If one of them can't be attached, nothing is sent without it.
 */
function useMessage(store: WorkbenchStore, files: AttachedFiles, isStarting: () => boolean) {
  const isUnderWay = useRef(false);
  const [isWaiting, setIsWaiting] = useState(false);
  const isHeld = () => isUnderWay.current || store.isRunning() || isStarting();
  async function once(work: (draft: string) => unknown): Promise<void> {
    if (isHeld()) return;
    const { draft } = store.workbench;
    if (files.state.isReading) {
      isUnderWay.current = true;
      setIsWaiting(true);
      const areAttached = await files.settle();
      isUnderWay.current = false;
      setIsWaiting(false);
      if (!areAttached || isHeld()) return;
    }
    await work(draft);
  }
  return { isWaiting, once };
}
