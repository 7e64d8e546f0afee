"use client";

import { type ComponentType, type ReactNode, useSyncExternalStore } from "react";

/**
 * A chart whose code loads together with the code of its screen, instead of after the data. Only the browser renders
 * it, since the server doesn't know the viewer's zone. It doesn't suspend: React would show `skeleton` for at least
 * 300 ms.
 * @param skeleton what stands in its place meanwhile.
 */
export function lazyChart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  skeleton: ReactNode,
): ComponentType<Props> {
  let code: ComponentType<Props> | Error | null = null;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const arrive = (loadedCode: ComponentType<Props> | Error) => {
    code = loadedCode;
    for (const listener of listeners) listener();
  };
  if (typeof window !== "undefined") {
    load().then(arrive, (reason) => arrive(reason instanceof Error ? reason : new Error(String(reason))));
  }
  return function LazyChart(props: Props) {
    const Chart = useSyncExternalStore(
      subscribe,
      () => code,
      () => null,
    );
    if (Chart instanceof Error) throw Chart;
    return Chart ? <Chart {...props} /> : skeleton;
  };
}
