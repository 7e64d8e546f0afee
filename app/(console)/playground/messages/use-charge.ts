"use client";

import { useQuery } from "@tanstack/react-query";
import { awaitCharge } from "@/components/playground/calls/await-charge";
import { evenOffline } from "@/components/queries/reads/even-offline";
import { type Problem, ProblemError } from "@/lib/console/gateway/problem";
import { buildReadKey } from "@/lib/console/reads/reads";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";

export type Charge =
  | { readonly state: "known"; readonly entry: LedgerEntry }
  | { readonly state: "awaited" | "missing" }
  | { readonly state: "failed"; readonly problem: Problem };

/** Returns the charge of a request that the person made. Does nothing if the id is null. */
export function useCharge(requestId: string | null): Charge {
  const { data, error } = useQuery({
    queryKey: [...buildReadKey("retrieveOwnCharge", { request_id: requestId ?? undefined }), "awaited"],
    queryFn: ({ signal }) => awaitCharge(requestId ?? "", signal),
    enabled: requestId !== null,
    // Entries never change. A charge that was missing is looked up again when the window gets the focus.
    staleTime: ({ state }) => (state.data ? Number.POSITIVE_INFINITY : 0),
    retry: false,
    ...evenOffline,
  });
  if (data) return { state: "known", entry: data };
  if (error instanceof ProblemError) return { state: "failed", problem: error.problem };
  return { state: data === null || requestId === null ? "missing" : "awaited" };
}
