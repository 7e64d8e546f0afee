"use client";

import {
  type MutationOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import { type ActionReply, type Problem, ProblemError } from "@/lib/console/problem";
import { type ReadId, readKey } from "@/lib/console/reads";
import { consoleAway, leaveForSignIn } from "./fetch-read";

export type ActionOptions<Input, Data> = Pick<
  MutationOptions<Data, ProblemError, Input>,
  "onSuccess" | "onError"
> & {
  /** Reads that are no longer true after it. */
  changes?: readonly ReadId[];
};

/**
 * A mutation by server action: `mutate(input)`, then `data` or `error.problem`. What was typed stays with its form;
 * `showProblem` puts `error.problem.fields` to the fields. One at a time: until it has ended, a second press is none.
 */
export function useAction<Input, Data>(
  action: (input: Input) => Promise<ActionReply<Data>>,
  { changes = [], ...callbacks }: ActionOptions<Input, Data> = {},
): UseMutationResult<Data, ProblemError, Input> {
  const queryClient = useQueryClient();
  const isUnderWay = useRef(false);
  const mutation = useMutation<Data, ProblemError, Input>({
    ...callbacks,
    // Without a network a change fails and says so; by default it would wait, and be sent when nobody looks.
    networkMode: "always",
    mutationFn: async (input) => {
      const reply = await action(input).catch((): { ok: false } & Problem => ({ ok: false, ...consoleAway }));
      if (reply.ok) return reply.data;
      // Whoever sees that it failed may try again at once, though the reads below are still being done anew.
      isUnderWay.current = false;
      if (reply.code === "unauthenticated") leaveForSignIn();
      // What the page shows is older than what is there: whoever tries again has seen it.
      if (reply.code === "stale") void queryClient.invalidateQueries();
      throw new ProblemError(reply);
    },
    onSettled: async (_data, error) => {
      await Promise.all(changes.map((read) => queryClient.invalidateQueries({ queryKey: readKey(read) })));
      if (!error) isUnderWay.current = false;
    },
  });
  const { mutate: begin } = mutation;
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
