"use client";

import { useState } from "react";
import { ProblemState } from "@/app/queries/problem-state";
import { useRead } from "@/app/queries/use-read";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import type { ConversationHead } from "@/lib/contract/operations/conversations";
import { ConversationRow } from "./conversation-row";
import { RenameDialog } from "./rename-dialog";
import type { AutosavedWorkbench } from "./use-autosave";

type ConversationsDialogProps = { saved: AutosavedWorkbench; close: () => void };

/** The person's own conversations, most recently changed first. */
export function ConversationsDialog({ saved, close }: ConversationsDialogProps) {
  const list = useRead("listOwnConversations", { limit: "100" });
  const [renamed, setRenamed] = useState<ConversationHead | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  async function open({ id }: ConversationHead) {
    const problem = await saved.autosave.open(id);
    if (problem === null) close();
    setRefusal(problem);
  }
  if (renamed) return <RenameDialog head={renamed} saved={saved} close={() => setRenamed(null)} />;
  return (
    <Dialog
      open
      onClose={close}
      title="Conversations"
      description="Only you read them, until you share one. The last 100 are saved, each for 180 days after its last change."
    >
      {refusal && (
        <div className="mb-3">
          <Notice tone="bad" role="alert">
            {refusal}
          </Notice>
        </div>
      )}
      {list.error && !list.data && (
        <ProblemState
          problem={list.error.problem}
          to="list the conversations"
          retry={() => void list.refetch()}
        />
      )}
      {list.isPending && <Skeleton className="h-24" />}
      {list.data?.data.length === 0 && (
        <p className="text-muted">None yet. A conversation is saved as soon as something is written in it.</p>
      )}
      <ul>
        {list.data?.data.map((head) => (
          <li key={head.id} className="border-b py-1.5 last:border-b-0">
            <ConversationRow
              {...{ head, saved }}
              open={() => void open(head)}
              rename={() => setRenamed(head)}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
