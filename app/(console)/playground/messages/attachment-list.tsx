"use client";

import { File, X } from "lucide-react";
import { IconButton } from "@/components/ui/icon-button";
import type { Attachment } from "./message";

type AttachmentListProps = { attachments: readonly Attachment[]; remove?: (attachment: Attachment) => void };

/** The files attached to a message, by name, with thumbnails of images. */
export function AttachmentList({ attachments, remove }: AttachmentListProps) {
  if (attachments.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-2" aria-label="Files">
      {attachments.map((attachment, index) => {
        const { name, kind, mimeType, data } = attachment;
        return (
          <li
            // Two files can have the same name.
            key={`${index} ${name}`}
            className="flex max-w-full items-center gap-2 rounded-md border bg-surface py-1 pr-1 pl-2 text-sm"
          >
            {kind === "image" ? (
              <span
                style={{ backgroundImage: `url("data:${mimeType};base64,${data}")` }}
                className="size-8 shrink-0 rounded-sm bg-cover bg-center"
              />
            ) : (
              <File aria-hidden className="size-4 shrink-0 text-muted" />
            )}
            <bdi className="min-w-0 truncate">{name}</bdi>
            {remove && (
              <IconButton
                size="small"
                label={`Remove ${name}`}
                icon={<X />}
                onClick={() => remove(attachment)}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}
