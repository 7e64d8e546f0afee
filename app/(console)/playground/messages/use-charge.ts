"use client";

import { useEffect, useState } from "react";
import { useRead } from "@/app/queries/use-read";
import type { LedgerEntry } from "@/lib/contract/operations/balance";

const ASK_EVERY_MS = 400;
const GIVE_UP_MS = 8_000;

export type Charge =
  | { readonly state: "known"; readonly entry: LedgerEntry }
  /** The charge follows shortly after the answer's end. */
  | { readonly state: "awaited" }
  | { readonly state: "missing" };

/** Returns the charge of a request that the person made. Does nothing if the id is null. */
export function useCharge(requestId: string | null): Charge {
  const [isAsking, setIsAsking] = useState(true);
  const charge = useRead(
    "retrieveOwnCharge",
    { request_id: requestId ?? undefined },
    { enabled: requestId !== null, refetchInterval: isAsking ? ASK_EVERY_MS : 0 },
  );
  const entry = charge.data;
  const isKnown = entry !== undefined;

  useEffect(() => {
    if (requestId === null || !isAsking) return;
    const timer = setTimeout(() => setIsAsking(false), isKnown ? 0 : GIVE_UP_MS);
    return () => clearTimeout(timer);
  }, [requestId, isAsking, isKnown]);

  if (entry) return { state: "known", entry };
  // A stopped call is charged shortly after its reply ends, so "not found" isn't final.
  const isOver = charge.error !== null && charge.error.problem.code !== "not_found";
  return { state: isAsking && requestId !== null && !isOver ? "awaited" : "missing" };
}
