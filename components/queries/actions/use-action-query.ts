"use client";

import { type QueryKey, type UseQueryOptions, type UseQueryResult, useQuery } from "@tanstack/react-query";
import { leaveForSignIn } from "@/components/session/leave-for-sign-in";
import { isAnythingUndrafted } from "@/components/ui/dialog/unsaved";
import { type ActionReply, ProblemError } from "@/lib/console/gateway/problem";
import { evenOffline } from "../reads/fetch-read";
import { callAction } from "./call-action";

type ActionQueryOptions<Data> = Pick<
  UseQueryOptions<Data, ProblemError>,
  "enabled" | "staleTime" | "gcTime" | "placeholderData" | "refetchInterval"
> & {
  queryKey: QueryKey;
  /** Calls an action that changes nothing. */
  ask: () => Promise<ActionReply<Data>>;
};

/**
 * A query by server action, for what people type: a preview of it, or an estimate. Asked anew whenever the key changes.
 * If the session has ended, goes to the sign-in screen, which returns here; unless that would lose what is on this page
 * alone. Then `error` says so.
 */
export function useActionQuery<Data>({
  ask,
  ...options
}: ActionQueryOptions<Data>): UseQueryResult<Data, ProblemError> {
  return useQuery<Data, ProblemError>({
    queryFn: async () => {
      const reply = await callAction(ask, "none");
      if (reply.ok) return reply.data;
      if (reply.code === "unauthenticated" && !isAnythingUndrafted()) leaveForSignIn();
      throw new ProblemError(reply);
    },
    retry: false,
    staleTime: 0,
    ...evenOffline,
    ...options,
  });
}
