"use client";

import { useRef } from "react";
import type { Creation } from "@/lib/console/actions/define-action";
import type { ActionReply } from "@/lib/console/gateway/problem";
import { createRandomId } from "./create-random-id";
import { type ActionOptions, useAction } from "./use-action";

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
