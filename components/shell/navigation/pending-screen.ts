"use client";

import { useRouter } from "next/navigation";
import { useLayoutEffect, useState, useSyncExternalStore, useTransition } from "react";

/** The address that somebody asked for and that hasn't come yet. */
let pending: string | null = null;
const listeners = new Set<() => void>();

function publish(href: string | null): void {
  if (pending === href) return;
  pending = href;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the path of the screen that was asked for and that hasn't come yet; null if there is none. */
export function usePendingPath(): string | null {
  const href = useSyncExternalStore(
    subscribe,
    () => pending,
    () => null,
  );
  return href === null ? null : (href.split(/[?#]/, 1)[0] ?? null);
}

/** While `isPending`, the shell shows `href` as the screen that is coming. */
export function useTellPending(href: string, isPending: boolean): void {
  // Before the next paint: a click is answered at once, and a screen that has come is never hidden.
  useLayoutEffect(() => {
    if (!isPending) return;
    publish(href);
    return () => {
      if (pending === href) publish(null);
    };
  }, [href, isPending]);
}

/** Returns a function that goes to an address, and tells so until the screen has come. */
export function useGoTo(): (href: string) => void {
  const router = useRouter();
  const [href, setHref] = useState("");
  const [isPending, startTransition] = useTransition();
  useTellPending(href, isPending);
  return (to) => {
    setHref(to);
    startTransition(() => router.push(to));
  };
}
