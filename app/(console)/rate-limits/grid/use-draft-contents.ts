"use client";

import { useDeferredValue, useMemo, useSyncExternalStore } from "react";
import type { LimitDraft } from "./limit-draft";
import type { LimitPair } from "./limit-pair";
import { listChanges } from "./list-changes";

/** Follows what is in the draft. */
export function useDraftContents(pairs: readonly LimitPair[], draft: LimitDraft) {
  // Deferred: listing ten thousand changes must not delay the cells that show them.
  const counts = useDeferredValue(useSyncExternalStore(draft.subscribe, draft.counts, draft.counts));
  return useMemo(() => listChanges(pairs, draft, counts), [pairs, draft, counts]);
}
