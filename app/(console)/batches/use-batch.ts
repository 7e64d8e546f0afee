"use client";

import { useRead } from "@/components/queries/reads/use-read";

/** Polling interval for unfinished batches while the page is visible. */
export const POLL_MS = 1_000;

/** Reads a batch and polls until it has ended. */
export function useBatch(id: string) {
  const batch = useRead("retrieveBatch", { batch_id: id });
  const isUnderWay = batch.data?.finalizing_at === null;
  useRead("retrieveBatch", { batch_id: id }, { enabled: isUnderWay, refetchInterval: POLL_MS });
  return batch;
}
