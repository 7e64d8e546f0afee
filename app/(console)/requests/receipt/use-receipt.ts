"use client";

import { useRead } from "@/app/queries/use-read";

const POLL_MS = 2_000;

/** Reads a call's receipt, repeatedly while the call is running. Works for people who can read calls and for the caller. */
export function useReceipt(id: string) {
  const any = useRead("retrieveRequest", { request_id: id });
  const isHidden =
    any.error?.problem.code === "missing_permission" || any.error?.problem.code === "not_found";
  const own = useRead("retrieveOwnRequest", { request_id: id }, { enabled: isHidden });
  const read = isHidden && !(own.error && any.error?.problem.code === "not_found") ? own : any;
  const isUnderWay = read.data?.request.outcome === "in_progress";
  useRead(
    read === own ? "retrieveOwnRequest" : "retrieveRequest",
    { request_id: id },
    { enabled: isUnderWay, refetchInterval: POLL_MS },
  );
  return read;
}
