"use client";

import { useEffect, useState, useSyncExternalStore } from "react";
import { toast } from "@/components/ui/dialog/toast";
import { registerUnsaved } from "@/components/ui/dialog/unsaved";
import { AttachedFiles } from "./attached-files";

/** The files of the message being written. Leaving the page asks first, since they are not saved with its text. */
export function useAttachments() {
  const [files] = useState(() => new AttachedFiles((message) => toast({ message, tone: "bad" })));
  const { attachments, isReading } = useSyncExternalStore(
    files.subscribe,
    () => files.state,
    () => files.state,
  );
  useEffect(
    () =>
      registerUnsaved({
        dialog: null,
        describe: () => describeLoss(files.state),
        discard: files.discard,
      }),
    [files],
  );
  return { files, attachments, isReading };
}

function describeLoss({ attachments, isReading }: AttachedFiles["state"]) {
  if (attachments.length === 0 && !isReading) return null;
  const isOne = attachments.length === 1;
  return {
    title: isOne ? "Discard the attached file?" : "Discard the attached files?",
    text: isOne
      ? "A file is saved with its message once that is sent or added."
      : "Files are saved with their message once that is sent or added.",
  };
}
