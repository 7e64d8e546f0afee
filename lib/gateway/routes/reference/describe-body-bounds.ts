import { formatBytes } from "@/lib/contract/format-bytes";
import type { BodyBounds } from "@/lib/contract/operation";

/** The maximum size of a request's body, in words. */
export function describeBodyBounds({ bytes, entries }: BodyBounds): string {
  return `At most ${formatBytes(bytes)} and ${entries.toLocaleString("en")} entries: commas and opening brackets outside of strings.`;
}
