"use client";

import { History, Share2 } from "lucide-react";
import { useState } from "react";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { ToolbarButton } from "../panes/toolbar-button";
import type { AutosavedWorkbench } from "./use-autosave";

const ConversationsDialog = loadOnClient(() =>
  import("./conversations-dialog").then((file) => file.ConversationsDialog),
);
const ShareDialog = loadOnClient(() => import("./share-dialog").then((file) => file.ShareDialog));

type ConversationMenuProps = { saved: AutosavedWorkbench; isBlank: boolean };

const states = {
  unsaved: "Saving…",
  saving: "Saving…",
  saved: "Saved",
  stale: "Not saved",
  failed: "Not saved",
};

/** Shows whether the conversation is saved. Opens the list of the person's conversations and the share link. */
export function ConversationMenu({ saved, isBlank }: ConversationMenuProps) {
  const { conversation } = saved;
  const [open, setOpen] = useState<"list" | "share" | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      {!isBlank && !conversation.isForeign && (
        <span className="px-1 text-xs whitespace-nowrap text-muted">{states[conversation.state.kind]}</span>
      )}
      <ToolbarButton icon={<History />} label="Conversations" onClick={() => setOpen("list")} />
      <ToolbarButton
        icon={<Share2 />}
        label="Share"
        isSecondary
        disabled={isBlank || conversation.isForeign}
        onClick={() => setOpen("share")}
      />
      {open === "list" && <ConversationsDialog {...{ saved, close }} />}
      {open === "share" && <ShareDialog {...{ saved, close }} />}
    </>
  );
}
