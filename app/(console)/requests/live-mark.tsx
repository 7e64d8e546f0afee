"use client";

import { Status } from "@/components/ui/status";
import { useNewCalls } from "./use-new-calls";

/** Says whether the list is live, or that its last read failed. */
export function LiveMark({ openedAt }: { openedAt: number }) {
  const { listed, since } = useNewCalls(openedAt);
  if (listed.error || since.error) return <Status tone="near">Not live: the last read failed</Status>;
  return <Status tone="good">Live</Status>;
}
