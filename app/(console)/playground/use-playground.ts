"use client";

import { useRef, useState } from "react";
import { answersNext, isPaneRunning } from "@/components/playground/panes/pane";
import type { PlaygroundParameters } from "@/components/playground/playground-parameters";
import type { Workbench } from "@/components/playground/workbench";
import type { WorkbenchStore } from "@/components/playground/workbench-store";
import { toast } from "@/components/ui/dialog/toast";
import { confirmLeave } from "@/components/ui/dialog/unsaved";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { useAttachments } from "./attachments/use-attachments";
import type { ConversationSwitch } from "./conversations/conversation-switch";
import { useSending } from "./messages/use-sending";
import { type Refused, stillRefused } from "./panes/refused-pane";
import { useShownPane } from "./panes/use-shown-pane";
import { useWorkbench } from "./panes/use-workbench";
import { isRole } from "./settings/run-as";
import { useLeadToFault } from "./settings/use-lead-to-fault";
import { useRail } from "./settings/use-rail";
import { useShortcuts } from "./use-shortcuts";

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
