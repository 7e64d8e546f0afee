"use client";

import { Pencil, Trash2 } from "lucide-react";
import { removeConversation } from "@/components/playground/conversations/conversation-actions";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { IconButton } from "@/components/ui/icon-button";
import { RelativeTime } from "@/components/ui/time/relative-time";
import type { ConversationHead } from "@/lib/contract/operations/playground/conversations";
import type { AutosavedWorkbench } from "./use-autosave";

type ConversationRowProps = {
  head: ConversationHead;
  saved: AutosavedWorkbench;
  open: () => void;
  rename: () => void;
};

export function ConversationRow({ head, saved, open, rename }: ConversationRowProps) {
  const { id, title, updated_at, is_shared } = head;
  const isOpen = id === saved.conversation.id;
  return (
    <div className="flex items-center gap-1">
      <button
        type="button"
        onClick={open}
        aria-current={isOpen || undefined}
        className="min-w-0 flex-1 rounded-sm px-1 text-left hover:text-accent-text pointer-coarse:min-h-11"
      >
        <span className="block truncate font-medium">{title}</span>
        <span className="block text-xs text-muted">
          <RelativeTime at={updated_at} />
          {is_shared && " · Shared"}
          {isOpen && " · Open"}
        </span>
      </button>
      <IconButton label={`Rename “${title}”`} icon={<Pencil />} onClick={rename} />
      <ConfirmedAction
        renderButton={(ask) => <IconButton label={`Delete “${title}”`} icon={<Trash2 />} onClick={ask} />}
        title={`Delete “${title}”?`}
        confirmLabel="Delete conversation"
        action={removeConversation}
        input={{ id }}
        refetch={["listOwnConversations"]}
        done={() => `“${title}” deleted`}
        {...(isOpen && { onDone: () => void saved.conversations.startAnother({ discards: true }) })}
      >
        {is_shared
          ? "Its link stops working. This can’t be undone."
          : "No one else has a copy. This can’t be undone."}
      </ConfirmedAction>
    </div>
  );
}
