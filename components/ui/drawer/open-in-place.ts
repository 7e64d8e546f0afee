import type { MouseEvent } from "react";
import { decodeSegment } from "@/lib/contract/path-segment";

/**
 * A row links to its own page, but a plain click opens it next to the list. Calls `open` with the last segment of the
 * link.
 */
export function openInPlace(event: MouseEvent<HTMLElement>, open: (id: string) => void): void {
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  const link = (event.target as HTMLElement).closest<HTMLAnchorElement>("a.stretched");
  const id = link?.pathname.split("/").at(-1);
  if (!isPlain || !id) return;
  event.preventDefault();
  open(decodeSegment(id) ?? id);
}
