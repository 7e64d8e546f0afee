import { expect, test } from "bun:test";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { ProblemError } from "@/lib/console/gateway/problem";
import { findUnread } from "./gateway-down";

const DOWN = new ProblemError({
  code: "failed",
  message: "The store can’t be reached.",
  isDown: true,
  fields: {},
  requestId: null,
});
const LOADED_MS = 1_000_000;

/** A page with reads that were last served or failed at these times, in Unix milliseconds. */
function openPage(reads: Record<string, { readMs?: number; failedMs?: number }>) {
  const client = new QueryClient();
  for (const [name, { readMs = 0, failedMs }] of Object.entries(reads)) {
    const queryKey = [name];
    client
      .getQueryCache()
      .build(client, { queryKey })
      .setState({
        data: readMs > 0 ? { ok: true, data: name, requestId: null } : undefined,
        dataUpdatedAt: readMs,
        ...(failedMs === undefined
          ? { status: "success" }
          : { status: "error", error: DOWN, errorUpdatedAt: failedMs }),
      });
    new QueryObserver(client, {
      queryKey,
      staleTime: Number.POSITIVE_INFINITY,
      retryOnMount: false,
    }).subscribe(() => {});
  }
  return findUnread(client.getQueryCache()).map(({ queryKey }) => queryKey[0]);
}

test("a read that fails while others are served tells its own failure", () => {
  expect(openPage({ spend: { readMs: LOADED_MS }, balance: { failedMs: LOADED_MS + 1_000 } })).toEqual([]);
});

test("once nothing is served any more, one message tells the failures of all reads", () => {
  expect(
    openPage({
      limits: { readMs: LOADED_MS },
      spend: { readMs: LOADED_MS, failedMs: LOADED_MS + 10_000 },
      // Failed while the page was loading, and isn't read again by itself.
      changes: { failedMs: LOADED_MS + 1_000 },
    }),
  ).toEqual(["spend", "changes"]);
});

test("a page of which nothing was ever served is down as a whole", () => {
  expect(openPage({ spend: { failedMs: LOADED_MS }, balance: { failedMs: LOADED_MS + 1_000 } })).toEqual([
    "spend",
    "balance",
  ]);
});
