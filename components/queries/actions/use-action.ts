"use client";

import type { QueryClient } from "@tanstack/react-query";
import {
  type MutationOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { leaveForSignIn } from "@/components/session/leave-for-sign-in";
import { afterUnsavedDialogs, registerSave } from "@/components/ui/dialog/unsaved";
import { type ActionReply, isGone, type Problem, ProblemError } from "@/lib/console/gateway/problem";
import { buildReadKey, type ReadId } from "@/lib/console/reads/reads";
import { callAction } from "./call-action";

export type ActionOptions<Input, Data> = Pick<
  MutationOptions<Data, ProblemError, Input>,
  "onSuccess" | "onError"
> & {
  /** Reads to refetch afterwards. "all" if any can have changed. */
  refetch?: Refetch;
  /** True if sending the same input twice can't do it twice. */
  isRepeatable?: boolean;
};

/**
 * A mutation by server action: `mutate(input)`, then `data` or `error.problem`. The form keeps its input; `showProblem`
 * puts `error.problem.fields` at its fields. Calls while one is running are ignored.
 */
export function useAction<Input, Data>(
  action: (input: Input) => Promise<ActionReply<Data>>,
  { refetch = [], isRepeatable = false, ...callbacks }: ActionOptions<Input, Data> = {},
): UseMutationResult<Data, ProblemError, Input> {
  const queryClient = useQueryClient();
  const isUnderWay = useRef(false);
  const mutation = useMutation<Data, ProblemError, Input>({
    ...callbacks,
    // Offline, fail at once. By default the mutation would wait and be sent unnoticed later.
    networkMode: "always",
    mutationFn: async (input) => {
      const reply = await callAction(() => action(input), isRepeatable ? "repeatable change" : "change");
      if (reply.ok) return reply.data;
      // Allow a retry as soon as the failure is shown, although refetches are still running.
      isUnderWay.current = false;
      if (reply.code === "unauthenticated") leaveForSignIn();
      // The page shows old data. Refetch it, so that the person sees it before trying again.
      if (reply.code === "stale") refetchAround(reply, () => void queryClient.invalidateQueries());
      throw new ProblemError(reply);
    },
    onSettled: async (_data, error) => {
      const refetchAll = () => invalidateReads(queryClient, refetch);
      // A failure is over once it is shown: then its dialog can be closed, and its form sent again.
      if (error) return refetchAround(error.problem, () => void refetchAll());
      await refetchAll();
      isUnderWay.current = false;
    },
  });
  const { mutate: begin, isPending } = mutation;
  // Ends in the render after the callbacks of `mutate`, which give a form its saved values.
  useEffect(() => (isPending ? registerSave() : undefined), [isPending]);
  const mutate = useCallback<typeof begin>(
    (...call) => {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      begin(...call);
    },
    [begin],
  );
  return { ...mutation, mutate };
}

/** Reads again, but waits for unsaved dialogs if the object is gone: a list without it would take its dialog away. */
function refetchAround(problem: Problem, refetch: () => void): void {
  if (isGone(problem)) afterUnsavedDialogs(refetch);
  else refetch();
}

/** Reads that a change made outdated; "all" if it can have changed any. */
export type Refetch = readonly ReadId[] | "all";

/** Reads the shown ones again, and others when they are shown. Resolves once the shown ones are read. */
export async function invalidateReads(queryClient: QueryClient, reads: Refetch): Promise<void> {
  const keys = reads === "all" ? [undefined] : reads.map((read) => buildReadKey(read));
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries(queryKey && { queryKey })));
}
