"use client";

import {
  keepPreviousData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQueries,
  useQuery,
} from "@tanstack/react-query";
import { useContext } from "react";
import { type GatewayReply, ProblemError } from "@/lib/console/gateway/problem";
import {
  buildPagesKey,
  buildReadKey,
  findNextPage,
  type ReadId,
  type ReadParameters,
  type ReadReply,
} from "@/lib/console/reads/reads";
import { evenOffline, fetchRead } from "./fetch-read";
import { type PendingReplies, PendingRepliesContext } from "./pending-reads";

type ReadOptions = {
  enabled?: boolean;
  refetchInterval?: number;
  /** Set for a read that takes the gateway long: it is made again only when asked for. */
  isCostly?: boolean;
  /** Set for a list with filters: the rows of the filter before stay until the present ones have come. */
  keepsPrevious?: boolean;
};
const onlyWhenAsked = {
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const;

/**
 * A read of the gateway, prefetched if the page's `<Prefetched>` lists it. `error.problem` has the reason of a failure;
 * earlier data stays available.
 */
export function useRead<Id extends ReadId>(
  id: Id,
  parameters?: ReadParameters,
  { isCostly = false, keepsPrevious = false, ...options }: ReadOptions = {},
): UseQueryResult<ReadReply<Id>, ProblemError> {
  const pendingReplies = useContext(PendingRepliesContext);
  return useQuery({
    queryKey: buildReadKey(id, parameters),
    queryFn: (context) => readOnce(pendingReplies, context, id, parameters),
    select: unwrap<ReadReply<Id>>,
    retry: retryOnce,
    ...evenOffline,
    ...(isCostly && onlyWhenAsked),
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
    ...options,
  }) as UseQueryResult<ReadReply<Id>, ProblemError>;
}

/** One read with several parameters. Undefined until all are answered; reads that failed are left out. */
export function useReads<Id extends ReadId>(
  id: Id,
  parameters: readonly ReadParameters[],
): ReadReply<Id>[] | undefined {
  const pendingReplies = useContext(PendingRepliesContext);
  return useQueries({
    queries: parameters.map((one) => ({
      queryKey: buildReadKey(id, one),
      queryFn: (context: ReadContext) => readOnce(pendingReplies, context, id, one),
      select: unwrap<ReadReply<Id>>,
      retry: retryOnce,
      ...evenOffline,
    })),
    combine: (reads) =>
      reads.some(({ isPending }) => isPending)
        ? undefined
        : reads.flatMap(({ data }) => (data === undefined ? [] : [data])),
  }) as ReadReply<Id>[] | undefined;
}

/**
 * `useRead` for a paged list. `data` has all rows loaded so far, and polling reads all of them again
 * (`computePollPause`).
 */
export function useReadRows<Id extends ListId>(
  id: Id,
  parameters?: ReadParameters,
  options: Omit<ReadOptions, "isCostly" | "keepsPrevious"> = {},
): UseInfiniteQueryResult<Row<Id>[], ProblemError> {
  return usePagesAs(id, parameters, options, (pages) => pages.flatMap((page): Row<Id>[] => page.data));
}

/** `useReadRows` with the pages that the rows are on, for lists with more data than rows. */
export function useReadPages<Id extends ListId>(
  id: Id,
  parameters?: ReadParameters,
  options: Omit<ReadOptions, "isCostly" | "keepsPrevious"> = {},
): UseInfiniteQueryResult<ReadReply<Id>[], ProblemError> {
  return usePagesAs(id, parameters, options, (pages) => pages);
}

function usePagesAs<Id extends ListId, Data>(
  id: Id,
  parameters: ReadParameters | undefined,
  { refetchInterval, ...options }: Omit<ReadOptions, "isCostly" | "keepsPrevious">,
  select: (pages: ReadReply<Id>[]) => Data,
): UseInfiniteQueryResult<Data, ProblemError> {
  const pendingReplies = useContext(PendingRepliesContext);
  return useInfiniteQuery({
    queryKey: buildPagesKey(id, parameters),
    queryFn: ({ pageParam, ...context }) =>
      pageParam === undefined
        ? readOnce(pendingReplies, context, id, parameters)
        : fetchReply(id, { ...parameters, after: pageParam }, context.signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.ok ? findNextPage(page.data) : undefined),
    select: ({ pages }) => select(pages.map((page) => unwrap(page))),
    placeholderData: keepPreviousData,
    retry: retryOnce,
    ...evenOffline,
    ...options,
    ...(refetchInterval !== undefined && {
      refetchInterval: ({ state }: { state: { data?: { pages: readonly unknown[] } | undefined } }) =>
        computePollPause(refetchInterval, state.data?.pages.length ?? 0),
    }),
  }) as UseInfiniteQueryResult<Data, ProblemError>;
}

type ListId = ReadId & `list${string}`;
type Row<Id extends ListId> = ReadReply<Id>["data"][number];
type ReadContext = { readonly queryKey: readonly unknown[]; readonly signal: AbortSignal };

/** Waits for the reply that the page's end brings, and otherwise makes the read. */
async function readOnce<Id extends ReadId>(
  pendingReplies: PendingReplies,
  { queryKey, signal }: ReadContext,
  id: Id,
  parameters: ReadParameters | undefined,
): Promise<GatewayReply<ReadReply<Id>>> {
  const reply = await pendingReplies.take(queryKey);
  return (reply as GatewayReply<ReadReply<Id>> | null) ?? fetchReply(id, parameters, signal);
}

async function fetchReply<Id extends ReadId>(
  id: Id,
  parameters: ReadParameters | undefined,
  signal: AbortSignal,
): Promise<GatewayReply<ReadReply<Id>>> {
  return { ok: true, data: await fetchRead(id, parameters, signal), requestId: null };
}

/**
 * Problems of server-side reads are passed as data, since a rejected promise would lose its details on the way to the
 * browser.
 */
function unwrap<Data>(reply: GatewayReply<Data>): Data {
  if (reply.ok) return reply.data;
  throw new ProblemError(reply.problem);
}

function retryOnce(failures: number, error: unknown): boolean {
  return failures < 1 && error instanceof ProblemError && error.problem.code === "unreachable";
}

/**
 * Returns the pause in milliseconds between two polls of a list with this many loaded pages. Each poll reads every
 * page, so the pause grows with them: the gateway gets one read per `intervalMs`, however many are loaded.
 */
export function computePollPause(intervalMs: number, pages: number): number {
  return intervalMs * Math.max(1, pages);
}
