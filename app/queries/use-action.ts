"use client";

import {
  type MutationOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { type ActionReply, type Problem, ProblemError } from "@/lib/console/problem";
import { type ReadId, readKey } from "@/lib/console/reads";
import { consoleAway, leaveForSignIn } from "./fetch-read";

type Options<Input, Data> = Pick<MutationOptions<Data, ProblemError, Input>, "onSuccess" | "onError"> & {
  /** Reads that are no longer true after it. */
  changes?: readonly ReadId[];
};

/**
 * A mutation by server action: `mutate(input)`, then `data` or `error.problem`. What was typed stays with its form;
 * `markFields` puts `error.problem.fields` to the fields.
 */
export function useAction<Input, Data>(
  action: (input: Input) => Promise<ActionReply<Data>>,
  { changes = [], ...callbacks }: Options<Input, Data> = {},
): UseMutationResult<Data, ProblemError, Input> {
  const queryClient = useQueryClient();
  return useMutation<Data, ProblemError, Input>({
    ...callbacks,
    // Without a network a change fails and says so; by default it would wait, and be sent when nobody looks.
    networkMode: "always",
    mutationFn: async (input) => {
      const reply = await action(input).catch((): { ok: false } & Problem => ({ ok: false, ...consoleAway }));
      if (reply.ok) return reply.data;
      if (reply.code === "unauthenticated") leaveForSignIn();
      throw new ProblemError(reply);
    },
    onSettled: () =>
      Promise.all(changes.map((read) => queryClient.invalidateQueries({ queryKey: readKey(read) }))),
  });
}
