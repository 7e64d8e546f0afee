"use client";

import { File, X } from "lucide-react";
import { type Attachment, isLostRecording } from "@/components/playground/messages/message";
import { IconButton } from "@/components/ui/icon-button";
import { readImageHeader } from "./image-header";

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
            {kind === "image" && hasThumbnail(attachment) ? (
              <span
                style={{ backgroundImage: `url("data:${mimeType};base64,${data}")` }}
                className="size-8 shrink-0 rounded-sm bg-cover bg-center"
              />
            ) : (
              <File aria-hidden className="size-4 shrink-0 text-muted" />
            )}
            <bdi className="min-w-0 truncate">{name}</bdi>
            {isLostRecording(attachment) && <span className="shrink-0 text-muted">not kept</span>}
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

/** A browser takes 4 bytes of memory for each pixel, and seconds for more than this. */
const MAX_THUMBNAIL_PIXELS = 50_000_000;
/** Base64 characters. Programs write the size of an image before this, even after a profile or a small picture. */
const HEADER_LENGTH = 400_000;
const shown = new WeakMap<Attachment, boolean>();

/** Attachments can come from what somebody else shared, so what they say of themselves doesn't count. */
function hasThumbnail(attachment: Attachment): boolean {
  const known = shown.get(attachment);
  if (known !== undefined) return known;
  const header = readImageHeader(bytesFrom(attachment.data.slice(0, HEADER_LENGTH)));
  const isShown = header !== null && header.width * header.height <= MAX_THUMBNAIL_PIXELS;
  shown.set(attachment, isShown);
  return isShown;
}

function bytesFrom(base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
