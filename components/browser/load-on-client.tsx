"use client";

import { type ComponentType, lazy, Suspense } from "react";
import { useIsHydrated } from "./use-is-hydrated";

/**
 * Returns a component whose code the browser loads when it is first shown, such as a dialog. The server doesn't render
 * it: loading it would then replace the screen by its skeleton. `next/dynamic` does the same, but weighs 2.7 KB.
 */
export function loadOnClient<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Loaded = lazy<ComponentType<Props>>(async () => ({ default: await load() }));
  return function LoadedOnClient(props: Props) {
    if (!useIsHydrated()) return null;
    return (
      <Suspense>
        <Loaded {...props} />
      </Suspense>
    );
  };
}
