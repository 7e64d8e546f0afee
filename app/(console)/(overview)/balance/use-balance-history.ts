"use client";

import { useMemo } from "react";
import { useRead } from "@/components/queries/reads/use-read";
import { useIsPainted } from "@/components/ui/browser/use-is-painted";
import { listSpendBuckets } from "@/components/usage/list-spend-buckets";
import { usageReads } from "@/components/usage/usage-reads";
import { movementReads } from "../overview-reads";
import { buildBalanceHistory } from "./build-balance-history";

/**
 * Returns the balance by hour of the last seven days, for drawing. Empty while it is unknown: before the screen is
 * painted, and with more payments or corrections than are read. `openedAt` in Unix seconds.
 */
export function useBalanceHistory(openedAt: number, isAllowed: boolean): readonly number[] {
  const isWanted = useIsPainted() && isAllowed;
  const posted = useRead("retrieveBalance").data?.posted;
  const week = useRead(...usageReads(openedAt).week, { enabled: isWanted }).data;
  const reads = movementReads(usageReads(openedAt).week[1].start_time);
  const payments = useRead(...reads.payments, { enabled: isWanted }).data;
  const corrections = useRead(...reads.corrections, { enabled: isWanted }).data;
  return useMemo(() => {
    if (posted === undefined || !week || !payments || !corrections) return [];
    if (payments.has_more || corrections.has_more) return [];
    const buckets = listSpendBuckets(week);
    return buildBalanceHistory(posted, buckets, [...payments.data, ...corrections.data]).map(Number);
  }, [posted, week, payments, corrections]);
}
