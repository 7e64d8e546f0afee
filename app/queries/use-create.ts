"use client";

import { useRef } from "react";
import type { Creation } from "@/lib/console/creation";
import type { ActionReply } from "@/lib/console/problem";
import { type ActionOptions, useAction } from "./use-action";

/**
 * `useAction` for a form that makes something. It has one idempotency key from its opening until something was made: sent
 * twice, or again after an answer was lost, it makes one.
 */
export function useCreate<Draft, Data>(
  action: (creation: Creation<Draft>) => Promise<ActionReply<Data>>,
  { onSuccess, ...options }: ActionOptions<Draft, Data> = {},
) {
  const key = useRef<string | null>(null);
  return useAction<Draft, Data>(
    (draft) => {
      key.current ??= newIdempotencyKey();
      return action({ draft, idempotencyKey: key.current });
    },
    {
      ...options,
      onSuccess: (...made) => {
        key.current = null;
        return onSuccess?.(...made);
      },
    },
  );
}

/** Not `randomUUID`, which browsers keep from pages that came over plain HTTP. */
function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) =>
    part.toString(16).padStart(8, "0"),
  ).join("");
}
