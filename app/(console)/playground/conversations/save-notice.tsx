"use client";

import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/dialog/toast";
import { Notice } from "@/components/ui/notice";
import type { Conversation } from "@/lib/contract/operations/playground/conversations";
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
