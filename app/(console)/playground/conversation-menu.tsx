"use client";

import { History, Share2 } from "lucide-react";
import { useState } from "react";
import { useAction } from "@/app/queries/use-action";
import { useRead } from "@/app/queries/use-read";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog } from "@/components/ui/dialog";
import { RelativeTime } from "@/components/ui/relative-time";
import { paths } from "@/lib/console/paths";
import { removeConversation } from "./conversation-actions";
import type { KeptBench } from "./use-kept-bench";

type ConversationMenuProps = { kept: KeptBench; isBlank: boolean };

const states = {
  unsaved: "",
  saving: "Saving…",
  saved: "Saved",
  stale: "Not saved",
  "too large": "Not saved",
  failed: "Not saved",
};

/** Whether the conversation is kept; the others of one's own; and the link that shares it. */
export function ConversationMenu({ kept, isBlank }: ConversationMenuProps) {
  const [open, setOpen] = useState<"list" | "share" | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <span role="status" className="px-1 text-xs text-muted">
        {!isBlank && states[kept.keeping.state]}
      </span>
      <Button
        variant="ghost"
        aria-label="Conversations"
        title="Conversations"
        onClick={() => setOpen("list")}
      >
        <History />
        <span className="max-xl:hidden">Conversations</span>
      </Button>
      <Button
        variant="ghost"
        aria-label="Share"
        title="Share"
        disabled={isBlank}
        onClick={() => setOpen("share")}
      >
        <Share2 />
        <span className="max-xl:hidden">Share</span>
      </Button>
      {open === "list" && <ConversationsDialog {...{ kept, close }} />}
      {open === "share" && <ShareDialog {...{ kept, close }} />}
    </>
  );
}

type DialogProps = { kept: KeptBench; close: () => void };

function ConversationsDialog({ kept, close }: DialogProps) {
  const list = useRead("listOwnConversations", { limit: "100" });
  const remove = useAction(removeConversation, { changes: ["listOwnConversations"] });
  const rows = list.data?.data ?? [];
  return (
    <Dialog
      open
      onClose={close}
      title="Conversations"
      description="Yours alone until you share one. The last 100 are kept, each for 180 days after its last change."
    >
      {list.error && <p className="text-danger">{list.error.problem.message}</p>}
      {list.data && rows.length === 0 && <p className="text-muted">None is kept yet.</p>}
      <ul className="grid">
        {rows.map(({ id, title, updated_at, is_shared }) => (
          <li key={id} className="flex items-center gap-2 border-b py-1.5 last:border-b-0">
            <button
              type="button"
              className="min-w-0 flex-1 rounded-sm text-left hover:text-accent-text pointer-coarse:min-h-11"
              onClick={() => {
                close();
                void kept.open(id);
              }}
            >
              <span className="block truncate">{title}</span>
              <span className="block text-xs text-muted">
                <RelativeTime at={updated_at} />
                {is_shared && " · shared"}
                {id === kept.keeping.id && " · open"}
              </span>
            </button>
            {id !== kept.keeping.id && (
              <Button size="small" variant="ghost" onClick={() => remove.mutate({ id })}>
                Delete
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function ShareDialog({ kept, close }: DialogProps) {
  const { id, isShared, state } = kept.keeping;
  const isSaving = state === "saving";
  return (
    <Dialog
      open
      onClose={close}
      title="Share this conversation"
      description="Everybody of this organization who may use the playground and has the link can read it, and goes on in a copy."
      footer={
        isShared ? (
          <Button pending={isSaving} onClick={() => void kept.unshare()}>
            Stop sharing
          </Button>
        ) : (
          <Button variant="primary" pending={isSaving} onClick={() => void kept.share()}>
            Share by link
          </Button>
        )
      }
    >
      {isShared ? (
        <CodeBlock
          code={`${window.location.origin}${paths.playground({ conversation: id })}`}
          what="link"
          wrap
        />
      ) : (
        <p className="text-muted">It is private now.</p>
      )}
    </Dialog>
  );
}
