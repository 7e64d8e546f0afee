"use client";

import type { QueryClient } from "@tanstack/react-query";
import {
  type MutationOptions,
  type QueryKey,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { asPagePerson, describeConsoleFailure, evenOffline } from "@/components/queries/reads/fetch-read";
import { leaveForSignIn } from "@/components/session/leave-for-sign-in";
import { afterUnsavedDialogs, isAnythingUndrafted, registerSave } from "@/components/ui/dialog/unsaved";
import type { PossibleEffect } from "@/components/ui/states/explain-lost-console";
import type { Creation } from "@/lib/console/actions/define-action";
import { type ActionReply, isGone, type Problem, ProblemError } from "@/lib/console/gateway/problem";
import { buildReadKey, type ReadId } from "@/lib/console/reads/reads";

type ActionOptions<Input, Data> = Pick<
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

/**
 * Calls a server action as the person whom this page was made for. Never rejects: if no reply came, the problem says
 * what to do, by what the call may have done all the same.
 */
export async function callAction<Data>(
  call: () => Promise<ActionReply<Data>>,
  effect: PossibleEffect,
): Promise<ActionReply<Data>> {
  try {
    return await asPagePerson(call);
  } catch (error) {
    return { ok: false, ...describeConsoleFailure(error, effect) };
  }
}

/** Reads that a change made outdated; "all" if it can have changed any. */
export type Refetch = readonly ReadId[] | "all";

/** Reads the shown ones again, and others when they are shown. Resolves once the shown ones are read. */
export async function invalidateReads(queryClient: QueryClient, reads: Refetch): Promise<void> {
  const keys = reads === "all" ? [undefined] : reads.map((read) => buildReadKey(read));
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries(queryKey && { queryKey })));
}

/**
 * Shows in a form why its save was refused: at the fields with the API's names, focusing the first, or else as the
 * form's own error (`root`). Keeps what was typed.
 */
export function showProblem<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  names: readonly FieldPath<Values>[],
  problem: Problem,
): void {
  const blamed = names.filter((name) => problem.fields[name] !== undefined);
  if (blamed.length === 0)
    form.setError("root", { type: isGone(problem) ? "not_found" : problem.code, message: problem.message });
  for (const [index, name] of blamed.entries()) {
    const message = problem.fields[name] ?? problem.message;
    form.setError(name, { type: problem.code, message }, { shouldFocus: index === 0 });
  }
}

/**
 * `useAction` for a form that creates an object. Keeps one idempotency key until the creation succeeds, so that a
 * repeated submit creates only one object.
 */
export function useCreate<Draft, Data>(
  action: (creation: Creation<Draft>) => Promise<ActionReply<Data>>,
  { onSuccess, ...options }: ActionOptions<Draft, Data> = {},
) {
  const key = useRef<string | null>(null);
  return useAction<Draft, Data>(
    (draft) => {
      key.current ??= createRandomId(4);
      return action({ draft, idempotencyKey: key.current });
    },
    {
      ...options,
      isRepeatable: true,
      onSuccess: (...made) => {
        key.current = null;
        return onSuccess?.(...made);
      },
    },
  );
}

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

/** Returns 32 random bits a word, as hexadecimal digits. `crypto.randomUUID` is missing on plain http. */
export function createRandomId(words: number): string {
  const parts = crypto.getRandomValues(new Uint32Array(words));
  return Array.from(parts, (part) => part.toString(16).padStart(8, "0")).join("");
}
