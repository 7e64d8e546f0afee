"use client";

import { type ComponentType, lazy, Suspense } from "react";
import { useIsHydrated } from "./use-is-hydrated";

/**
 * Returns a component whose code the browser loads when it is first shown: that of a dialog, which the server's page
 * never contains. `next/dynamic` would do the same and weighs 2.7 KB, for what it renders on the server.
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
