"use client";

import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { KeptBench } from "./use-kept-bench";

/** What keeps the workbench from being kept, and what to do. */
export function KeepingNotice({ kept }: { kept: KeptBench }) {
  const { state } = kept.keeping;
  if (state === "stale") {
    return (
      <Notice
        tone="near"
        role="alert"
        title="Another tab or session has changed this conversation"
        actions={
          <>
            <Button size="small" onClick={() => void kept.openNewer()}>
              Show that one
            </Button>
            <Button size="small" onClick={() => void kept.keepAsCopy()}>
              Keep this one as a copy
            </Button>
          </>
        }
      >
        Nothing was overwritten. What is on this page is kept in this tab alone until you decide.
      </Notice>
    );
  }
  if (state !== "too large") return null;
  return (
    <Notice tone="near" role="alert" title="This conversation is too large to keep">
      It stays in this tab. Two megabytes are kept at most: remove images, or begin a new conversation.
    </Notice>
  );
}
