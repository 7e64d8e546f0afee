"use client";

import {
  keepPreviousData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from "@tanstack/react-query";
import { type GatewayReply, ProblemError } from "@/lib/console/problem";
import { pagesKey, type ReadId, type ReadParameters, type ReadReply, readKey } from "@/lib/console/reads";
import { fetchRead } from "./fetch-read";

// Without a network a read fails, and its screen says since when it is old; by default it would wait in silence.
const evenOffline = { networkMode: "always", refetchOnReconnect: true } as const;

type ReadOptions = { enabled?: boolean; refetchInterval?: number };

/**
 * A read of the gateway, begun by the page's `<Prefetched>` where it names it. `error.problem` says why there is
 * none; data once loaded stays while a later read fails.
 */
export function useRead<Id extends ReadId>(
  id: Id,
  parameters?: ReadParameters,
  options: ReadOptions = {},
): UseQueryResult<ReadReply<Id>, ProblemError> {
  return useQuery({
    queryKey: readKey(id, parameters),
    queryFn: ({ signal }) => readAgain(id, parameters, signal),
    select: unwrap<ReadReply<Id>>,
    retry: retryOnce,
    ...evenOffline,
    ...options,
  }) as UseQueryResult<ReadReply<Id>, ProblemError>;
}

/** The same for a list that is loaded page by page; `data` holds all rows so far. */
export function useReadPages<Id extends ListId>(
  id: Id,
  parameters?: ReadParameters,
  options: ReadOptions = {},
): UseInfiniteQueryResult<Row<Id>[], ProblemError> {
  return usePagesAs(id, parameters, options, (pages) => pages.flatMap((page): Row<Id>[] => page.data));
}

/** The same with the pages themselves, for a list that tells more than its rows. */
export function usePages<Id extends ListId>(
  id: Id,
  parameters?: ReadParameters,
  options: ReadOptions = {},
): UseInfiniteQueryResult<ReadReply<Id>[], ProblemError> {
  return usePagesAs(id, parameters, options, (pages) => pages);
}

function usePagesAs<Id extends ListId, Data>(
  id: Id,
  parameters: ReadParameters | undefined,
  options: ReadOptions,
  select: (pages: ReadReply<Id>[]) => Data,
): UseInfiniteQueryResult<Data, ProblemError> {
  return useInfiniteQuery({
    queryKey: pagesKey(id, parameters),
    queryFn: ({ signal, pageParam }) => readAgain(id, { ...parameters, after: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => nextPage(page),
    select: ({ pages }) => select(pages.map((page) => unwrap(page))),
    placeholderData: keepPreviousData,
    retry: retryOnce,
    ...evenOffline,
    ...options,
  }) as UseInfiniteQueryResult<Data, ProblemError>;
}

type ListId = ReadId & `list${string}`;
type Row<Id extends ListId> = ReadReply<Id>["data"][number];
type Page = { has_more: boolean; next?: string | null; last_id?: string | null };

/** `next` where the list has one, `last_id` otherwise (contract, lists). */
function nextPage(reply: GatewayReply<Page>): string | undefined {
  if (!reply.ok || !reply.data.has_more) return undefined;
  return reply.data.next ?? reply.data.last_id ?? undefined;
}

async function readAgain<Id extends ReadId>(
  id: Id,
  parameters: ReadParameters | undefined,
  signal: AbortSignal,
): Promise<GatewayReply<ReadReply<Id>>> {
  return { ok: true, data: await fetchRead(id, parameters, signal), requestId: null };
}

/** The server's first read arrives with its problem inside: a promise that fails on the way loses its reason. */
function unwrap<Data>(reply: GatewayReply<Data>): Data {
  if (reply.ok) return reply.data;
  throw new ProblemError(reply.problem);
}

function retryOnce(failures: number, error: unknown): boolean {
  return failures < 1 && error instanceof ProblemError && error.problem.code === "unreachable";
}
