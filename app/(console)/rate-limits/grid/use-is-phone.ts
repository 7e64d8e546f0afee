"use client";

import { useSyncExternalStore } from "react";

const PHONE = "(max-width: 639px)";

/** True where the window is too narrow for columns. False on the server. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(follow, read, () => false);
}

function follow(listener: () => void): () => void {
  const query = window.matchMedia(PHONE);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

const read = () => window.matchMedia(PHONE).matches;
