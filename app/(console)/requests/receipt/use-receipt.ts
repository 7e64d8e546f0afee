"use client";

import { useReadOrOwn } from "@/components/queries/reads/use-read-or-own";

const POLL_MS = 2_000;

/**
 * Reads a call's receipt, and polls while the call is running. Works for people who can read calls and for the caller.
 * @param isOwnOnly whether the person may read their own calls only.
 */
export function useReceipt(id: string, { isOwnOnly }: { isOwnOnly: boolean }) {
  return useReadOrOwn({
    read: "retrieveRequest",
    own: "retrieveOwnRequest",
    parameters: { request_id: id },
    isOwnOnly,
    isUnfinished: ({ request }) => request.outcome === "in_progress",
    pollMs: POLL_MS,
  });
}
