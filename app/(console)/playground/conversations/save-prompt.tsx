"use client";

import { BookmarkPlus } from "lucide-react";
import { useState } from "react";
import { isBlank } from "@/components/playground/conversations/saved-content";
import type { Workbench } from "@/components/playground/workbench";
import type { WorkbenchStore } from "@/components/playground/workbench-store";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog/dialog";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { buildPromptContent } from "./prompt-content";

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
