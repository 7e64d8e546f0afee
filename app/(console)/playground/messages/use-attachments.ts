"use client";

import { useState } from "react";
import type { Attachment } from "@/app/workbench/messages/message";
import { toast } from "@/components/ui/toast";
import { countAttachmentBytes, readAttachments } from "./read-attachments";

/** The attachments of the message being written. */
export function useAttachments() {
  const [attachments, setAttachments] = useState<readonly Attachment[]>([]);

  async function read(files: readonly File[]) {
    const { attachments: added, refused } = await readAttachments(files, countAttachmentBytes(attachments));
    setAttachments((before) => [...before, ...added]);
    for (const message of refused) toast({ message, tone: "bad" });
  }

  return {
    attachments,
    attach: (files: readonly File[]) => void read(files),
    detach: (one: Attachment) => setAttachments((before) => before.filter((other) => other !== one)),
    /** Removes all attachments. @returns the removed ones. */
    take(): readonly Attachment[] {
      setAttachments([]);
      return attachments;
    },
    /** Restores attachments, unless others have been added since. */
    restore: (taken: readonly Attachment[]) => setAttachments((since) => (since.length > 0 ? since : taken)),
  };
}
