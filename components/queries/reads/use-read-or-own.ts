"use client";

import type { UseQueryResult } from "@tanstack/react-query";
import type { ProblemError } from "@/lib/console/gateway/problem";
import type { ReadId, ReadParameters, ReadReply } from "@/lib/console/reads/reads";
import { useRead } from "./use-read";

type ReadOrOwn<Id extends ReadId, OwnId extends ReadId> = {
  /** The read of people with the permission. */
  read: Id;
  /** The read of whoever made the object. */
  own: OwnId;
  parameters: ReadParameters;
  /** Whether the person is known to lack the permission everywhere. */
  isOwnOnly: boolean;
  isUnfinished: (object: ReadReply<Id> | ReadReply<OwnId>) => boolean;
  pollMs: number;
};

/** Reads an object for people with a permission and for whoever made it, and polls until it is finished. */
export function useReadOrOwn<Id extends ReadId, OwnId extends ReadId>({
  read,
  own,
  parameters,
  isOwnOnly,
  isUnfinished,
  pollMs,
}: ReadOrOwn<Id, OwnId>): UseQueryResult<ReadReply<Id> | ReadReply<OwnId>, ProblemError> {
  const permitted = useRead(read, parameters, { enabled: !isOwnOnly });
  const code = permitted.error?.problem.code;
  const isHidden = isOwnOnly || code === "missing_permission" || code === "not_found";
  const owned = useRead(own, parameters, { enabled: isHidden });
  // The first refusal tells more than the second where both find nothing.
  const isOwn = isHidden && !(owned.error && code === "not_found");
  const found = isOwn ? owned : permitted;
  useRead(isOwn ? own : read, parameters, {
    enabled: found.data !== undefined && isUnfinished(found.data),
    refetchInterval: pollMs,
  });
  return found;
}
