import { formatBytes } from "@/lib/contract/format-bytes";
import type { BodyBounds } from "@/lib/contract/operation";

/** How large a request's body may be, in words. */
export function describeBodyBounds({ bytes, entries }: BodyBounds): string {
  return `At most ${formatBytes(bytes)} and ${entries.toLocaleString("en")} entries: commas and opening brackets outside of strings.`;
}
