"use client";

import { notifyManager, type Query, type QueryCache, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { type GatewayReply, type Problem, ProblemError } from "@/lib/console/gateway/problem";

/** Reads of one page begin and end within this time. */
const SAME_TIME_MS = 5_000;

/** Whether a read failed because the gateway is down, so that one message for the page says it for all of its reads. */
export function useIsGatewayDown(problem: Problem | undefined): boolean {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useSubscription(cache);
  return useSyncExternalStore(
    subscribe,
    () => problem !== undefined && isOfGateway(problem, cache.findAll({ type: "active" })),
    // On the server no query is active, and all are of this page.
    () => problem !== undefined && isOfGateway(problem, cache.getAll()),
  );
}

export function useSubscription(cache: QueryCache): (notify: () => void) => () => void {
  return useCallback((notify) => cache.subscribe(notifyManager.batchCalls(notify)), [cache]);
}

/** Returns the page's queries whose latest read failed because the gateway is down. */
export function findUnread(cache: QueryCache): readonly Query[] {
  const queries = cache.findAll({ type: "active" });
  return queries.filter((query) => {
    const problem = findProblem(query);
    return problem !== undefined && isOfGateway(problem, queries);
  });
}

/**
 * A gateway that answers 503 to some reads and serves others is not down: each section then tells its own failure. It
 * is down once a read fails later than reads that were served together with it could.
 */
function isOfGateway(problem: Problem, queries: readonly Query[]): boolean {
  if (problem.code === "unreachable") return true;
  if (!saysDown(problem)) return false;
  const failedAt = queries.filter(isUnserved).map(({ state }) => failureTime(state));
  const readAt = queries.filter(isRead).map(({ state }) => state.dataUpdatedAt);
  return Math.max(0, ...readAt) < Math.max(...failedAt) - SAME_TIME_MS;
}

const saysDown = (problem: Problem | undefined) =>
  problem?.code === "unreachable" || (problem?.code === "failed" && problem.isDown === true);

const isUnserved = (query: Query) => saysDown(findProblem(query));

/** Whether the latest read of a query succeeded. */
export function isRead({ state: { status, data } }: Query): boolean {
  return status === "success" && firstReply(data)?.ok === true;
}

const failureTime = ({ error, errorUpdatedAt, dataUpdatedAt }: Query["state"]) =>
  error === null ? dataUpdatedAt : errorUpdatedAt;

/** Reads of the server hand their problems on as replies, those of the browser as errors. */
export function findProblem({ state: { error, data } }: Query): Problem | undefined {
  if (error instanceof ProblemError) return error.problem;
  const reply = firstReply(data);
  return reply?.ok === false ? reply.problem : undefined;
}

/** The data of a query is a reply, or the pages of a list, which are replies. */
export function firstReply(data: unknown): GatewayReply<unknown> | undefined {
  const reply = (data as { pages?: unknown[] } | undefined)?.pages?.[0] ?? data;
  return reply as GatewayReply<unknown> | undefined;
}
