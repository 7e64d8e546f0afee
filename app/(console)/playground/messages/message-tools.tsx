"use client";

import { Ellipsis, Pencil } from "lucide-react";
import { hasContent, type Message } from "@/components/playground/messages/message";
import { insertBelow, moveMessage, withoutMessage } from "@/components/playground/panes/pane";
import type { WorkbenchStore } from "@/components/playground/workbench-store";
import { IconButton } from "@/components/ui/icon-button";
import { Menu } from "@/components/ui/menu/menu";
import { CopyButton } from "@/components/ui/text/copy-button";
import { copyWithToast } from "./copy-with-toast";

type MessageToolsProps = {
  store: WorkbenchStore;
  paneId: string;
  message: Message;
  /** Undefined for an answer without text, which can't be edited. */
  edit: (() => void) | undefined;
  showRaw: () => void;
};

/** The actions on a message, available while no answer is streaming. */
export function MessageTools({ store, paneId, message, edit, showRaw }: MessageToolsProps) {
  const { id, role, call } = message;
  const whose = role === "assistant" ? "answer" : "message";
  const answerAgain = () => void store.answerAgain(paneId, id);
  const move = (by: -1 | 1) => store.changePane(paneId, (pane) => moveMessage(pane, id, by));
  const add = (by: "user" | "assistant") => store.changePane(paneId, (pane) => insertBelow(pane, id, by));
  return (
    <span className="flex shrink-0 items-center">
      {role === "assistant" && message.text !== "" && <CopyButton text={message.text} what="answer" />}
      {edit && <IconButton size="small" label={`Edit ${whose}`} icon={<Pencil />} onClick={edit} />}
      <Menu
        label={`More for this ${whose}`}
        trigger={<Ellipsis className="size-4" />}
        triggerClassName="inline-grid size-6 place-items-center rounded-md text-muted hover:bg-default hover:text-foreground pointer-coarse:size-11"
        align="end"
        sections={[
          {
            entries: [
              { id: "again", label: "Answer again from here", onSelect: answerAgain },
              ...(hasContent(message)
                ? [{ id: "copy", label: "Copy text", onSelect: () => void copyWithToast(message.text) }]
                : []),
              ...(call ? [{ id: "raw", label: "Request and reply", onSelect: showRaw }] : []),
            ],
          },
          {
            entries: [
              { id: "write-message", label: "Add a message below", onSelect: () => add("user") },
              { id: "write-answer", label: "Add an answer below", onSelect: () => add("assistant") },
            ],
          },
          {
            entries: [
              { id: "up", label: "Move up", onSelect: () => move(-1) },
              { id: "down", label: "Move down", onSelect: () => move(1) },
              {
                id: "delete",
                label: "Delete",
                danger: true,
                onSelect: () => store.changePane(paneId, (pane) => withoutMessage(pane, id)),
              },
            ],
          },
        ]}
      />
    </span>
  );
}
