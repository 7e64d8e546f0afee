"use client";

import { type QueryCache, useQueryClient } from "@tanstack/react-query";
import { CircleAlert } from "lucide-react";
import { useRouter } from "next/navigation";
import { useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";
import { toServerClock } from "@/components/ui/time/server-clock";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { findProblem, findUnread, firstReply, isRead, useSubscription } from "./gateway-down";

/**
 * One notice above the page while the gateway is down: the reason, and the age of the oldest data that the page shows.
 */
export function UnreachableNotice() {
  const client = useQueryClient();
  const router = useRouter();
  const cache = client.getQueryCache();
  const subscribe = useSubscription(cache);
  // A string, since a snapshot must stay the same until something changes.
  const described = useSyncExternalStore(
    subscribe,
    () => describe(cache),
    () => "",
  );
  if (described === "") return null;
  const { sinceMs, isPartial, message, isFetching } = JSON.parse(described) as Described;
  return (
    <div
      role="status"
      className="sticky top-12 z-10 border-b border-warning/30 bg-background px-4 sm:px-6 print:hidden"
    >
      <div className="mx-auto flex max-w-[1280px] flex-wrap items-center gap-x-3 gap-y-2 py-2 text-sm">
        <CircleAlert aria-hidden className="size-4 shrink-0 text-warning" />
        <p className="min-w-48 flex-1 text-muted wrap-anywhere">
          <span className="font-medium text-foreground">
            {sinceMs === null ? (
              `${isPartial ? "Part of this page" : "This page"} could not be loaded.`
            ) : (
              <>
                Last refreshed <RelativeTime at={Math.floor(toServerClock(sinceMs) / 1000)} />.
              </>
            )}
          </span>{" "}
          {message}
        </p>
        <Button
          size="small"
          pending={isFetching}
          onClick={() => {
            for (const query of findUnread(cache))
              void client.refetchQueries({ queryKey: query.queryKey, exact: true });
            // What the server renders, such as the list of projects, was not read either.
            if (sinceMs === null) router.refresh();
          }}
        >
          Try again
        </Button>
      </div>
    </div>
  );
}

type Described = {
  /** Null if nothing was ever loaded. */
  sinceMs: number | null;
  /** Whether the gateway answered other reads of the page. */
  isPartial: boolean;
  message: string;
  isFetching: boolean;
};

/** Returns JSON of `Described`; "" if all shown data was read from the gateway. */
function describe(cache: QueryCache): string {
  const unread = findUnread(cache);
  const [first] = unread;
  if (!first) return "";
  const readAt = unread
    .filter(({ state }) => firstReply(state.data)?.ok === true)
    .map(({ state }) => state.dataUpdatedAt);
  const described: Described = {
    sinceMs: readAt.length > 0 ? Math.min(...readAt) : null,
    isPartial: cache.findAll({ type: "active" }).some(isRead),
    message: findProblem(first)?.message ?? "",
    isFetching: unread.some(({ state }) => state.fetchStatus === "fetching"),
  };
  return JSON.stringify(described);
}
