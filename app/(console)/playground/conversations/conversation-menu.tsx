"use client";

import { History, Share2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { BenchTool } from "../panes/bench-tool";
import type { KeptBench } from "./use-kept-bench";

const ConversationsDialog = dynamic(() =>
  import("./conversations-dialog").then((file) => file.ConversationsDialog),
);
const ShareDialog = dynamic(() => import("./share-dialog").then((file) => file.ShareDialog));

type ConversationMenuProps = { kept: KeptBench; isBlank: boolean };

const states = {
  unsaved: "Saving…",
  saving: "Saving…",
  saved: "Saved",
  stale: "Not saved",
  failed: "Not saved",
};

/** Shows whether the conversation is saved. Opens the list of the person's conversations and the share link. */
export function ConversationMenu({ kept, isBlank }: ConversationMenuProps) {
  const { keeping } = kept;
  const [open, setOpen] = useState<"list" | "share" | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      {!isBlank && !keeping.isForeign && (
        <span className="px-1 text-xs whitespace-nowrap text-muted">{states[keeping.state.kind]}</span>
      )}
      <BenchTool icon={<History />} label="Conversations" onClick={() => setOpen("list")} />
      <BenchTool
        icon={<Share2 />}
        label="Share"
        disabled={isBlank || keeping.isForeign}
        onClick={() => setOpen("share")}
      />
      {open === "list" && <ConversationsDialog {...{ kept, close }} />}
      {open === "share" && <ShareDialog {...{ kept, close }} />}
    </>
  );
}
