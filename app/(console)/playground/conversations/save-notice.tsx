"use client";

import { BookmarkPlus, History, Share2 } from "lucide-react";
import { useState } from "react";
import { ToolbarButton } from "@/app/(console)/playground/panes/toolbar-button";
import { isBlank } from "@/components/playground/conversations/saved-content";
import type { Workbench } from "@/components/playground/workbench";
import type { WorkbenchStore } from "@/components/playground/workbench-store";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog/dialog";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { toast } from "@/components/ui/dialog/toast";
import { Notice } from "@/components/ui/notice";
import type { Conversation } from "@/lib/contract/operations/playground/conversations";
import { buildPromptContent } from "./prompt-content";
import type { AutosavedWorkbench } from "./use-autosave";

/** Says why the workbench can't be saved and what to do, or whose conversation it is. */
export function SaveNotice({
  saved: { conversation, autosave, conversations },
}: {
  saved: AutosavedWorkbench;
}) {
  const { state } = conversation;
  const show = async (other: Conversation) => {
    const refusal = await conversations.show(other);
    if (refusal !== null) toast({ message: refusal, tone: "bad" });
  };
  if (state.kind === "stale") {
    const { current, isDeleted } = state;
    return (
      <div className="p-3 pb-0">
        <Notice
          tone="near"
          role="alert"
          title={
            isDeleted
              ? "Not saved: another tab or session has deleted this conversation"
              : "Not saved: another tab or session has changed this conversation"
          }
          actions={
            <>
              <Button size="small" variant="primary" onClick={() => void autosave.saveCopy()}>
                {isDeleted ? "Keep this one" : "Keep both"}
              </Button>
              {current && (
                <Button size="small" onClick={() => void show(current)}>
                  Discard this one and show the other
                </Button>
              )}
            </>
          }
        >
          {isDeleted
            ? "This page’s version exists only in this tab."
            : "Nothing was overwritten. “Keep both” saves this page’s version as a copy."}
        </Notice>
      </div>
    );
  }
  if (state.kind === "failed") {
    return (
      <div className="p-3 pb-0">
        <Notice tone="near" role="alert" title="Not saved">
          {state.reason} Your changes stay in this tab.
        </Notice>
      </div>
    );
  }
  if (!conversation.isForeign) return null;
  return (
    <div className="p-3 pb-0">
      <Notice
        title={conversation.author ? `Shared with you by ${conversation.author}` : "Shared with you to read"}
      >
        If you continue it, your messages are saved in your own copy. The original doesn’t change.
      </Notice>
    </div>
  );
}

const SavePromptDialog = loadOnClient(() =>
  import("./save-prompt-dialog").then((file) => file.SavePromptDialog),
);

type SavePromptProps = {
  workbench: Workbench;
  store: WorkbenchStore;
  /** Null if there is no project to save it in. */
  projectId: string | null;
  /** The pane whose call is saved. */
  paneId: string;
  /** The number of the version that would be saved of the open prompt; null if none is open. */
  nextVersion: number | null;
};

/** A button that saves a pane's call as a prompt. */
export function SavePrompt({ workbench, store, projectId, paneId, nextVersion }: SavePromptProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (projectId === null) return null;
  const close = () => setIsOpen(false);
  const pane = workbench.panes.find(({ id }) => id === paneId) ?? workbench.panes[0];
  const content = isOpen && pane ? buildPromptContent(workbench, pane) : null;
  const saved = (promptId: string) => store.change((before) => ({ ...before, promptId }));
  return (
    <>
      <Button size="small" disabled={isBlank(workbench)} onClick={() => setIsOpen(true)}>
        <BookmarkPlus />
        {nextVersion === null ? "Save prompt" : `Save version ${nextVersion}`}
      </Button>
      {isOpen && content && (
        <SavePromptDialog {...{ content, projectId, saved, close }} promptId={workbench.promptId} />
      )}
      {isOpen && !content && (
        <Dialog open onClose={close} title="Save prompt">
          <p>Write a message first, and correct the settings that are marked.</p>
        </Dialog>
      )}
    </>
  );
}

const ConversationsDialog = loadOnClient(() =>
  import("./conversations-dialog").then((file) => file.ConversationsDialog),
);
const ShareDialog = loadOnClient(() => import("./conversations-dialog").then((file) => file.ShareDialog));

type ConversationMenuProps = { saved: AutosavedWorkbench; isUnwritten: boolean };

const saveStates = {
  unsaved: "Saving…",
  saving: "Saving…",
  saved: "Saved",
  stale: "Not saved",
  failed: "Not saved",
};

/** Shows whether the conversation is saved. Opens the list of the person's conversations and the share link. */
export function ConversationMenu({ saved, isUnwritten }: ConversationMenuProps) {
  const { conversation } = saved;
  const [open, setOpen] = useState<"list" | "share" | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      {!isUnwritten && !conversation.isForeign && (
        <span className="px-1 text-xs whitespace-nowrap text-muted">
          {saveStates[conversation.state.kind]}
        </span>
      )}
      <ToolbarButton icon={<History />} label="Conversations" onClick={() => setOpen("list")} />
      <ToolbarButton
        icon={<Share2 />}
        label="Share"
        isSecondary
        disabled={isUnwritten || conversation.isForeign}
        onClick={() => setOpen("share")}
      />
      {open === "list" && <ConversationsDialog {...{ saved, close }} />}
      {open === "share" && <ShareDialog {...{ saved, close }} />}
    </>
  );
}
