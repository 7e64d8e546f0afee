"use client";

import { useEffect, useState } from "react";
import { useRead } from "@/app/queries/use-read";
import type { LedgerEntry } from "@/lib/contract/operations/balance";

const ASK_EVERY_MS = 400;
const GIVE_UP_MS = 8_000;

export type Charge =
  | { readonly state: "known"; readonly entry: LedgerEntry }
  /** It is settled within moments of the answer's end. */
  | { readonly state: "awaited" }
  | { readonly state: "missing" };

/** The ledger's charge of one request. A null id asks nothing. */
export function useCharge(requestId: string | null): Charge {
  const [isAsking, setIsAsking] = useState(true);
  const ledger = useRead(
    "listLedger",
    { request_id: requestId ?? undefined, kind: "charge" },
    { enabled: requestId !== null, refetchInterval: isAsking ? ASK_EVERY_MS : 0 },
  );
  const entry = ledger.data?.data[0];
  const isKnown = entry !== undefined;

  useEffect(() => {
    if (requestId === null || !isAsking) return;
    const timer = setTimeout(() => setIsAsking(false), isKnown ? 0 : GIVE_UP_MS);
    return () => clearTimeout(timer);
  }, [requestId, isAsking, isKnown]);

  if (entry) return { state: "known", entry };
  return { state: isAsking && requestId !== null && !ledger.error ? "awaited" : "missing" };
}
