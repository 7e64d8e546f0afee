"use client";

import { type RefObject, useEffect, useRef } from "react";
import { buildReadUrl, type ReadId, type ReadParameters } from "@/lib/console/reads/reads";

/**
 * Follows a read's event stream while the page is visible. Calls `onEvent` with each event's data. The browser reopens a stream
 * that ends; after a refusal, the read's data stays.
 */
export function useReadEvents<Data>(
  id: ReadId,
  parameters: ReadParameters,
  onEvent: (data: Data) => void,
): void {
  const url = buildReadUrl(id, parameters);
  const receive = useRef(onEvent);
  useEffect(() => {
    receive.current = onEvent;
  }, [onEvent]);
  useEffect(() => follow(url, receive), [url]);
}

/** @returns a function that closes the stream. */
function follow<Data>(url: string, receive: RefObject<(data: Data) => void>): () => void {
  let source: EventSource | null = null;
  const openWhileShown = () => {
    if (document.hidden) {
      source?.close();
      source = null;
      return;
    }
    source ??= new EventSource(url);
    source.onmessage = ({ data }: MessageEvent<string>) => receive.current(JSON.parse(data) as Data);
  };
  openWhileShown();
  document.addEventListener("visibilitychange", openWhileShown);
  return () => {
    document.removeEventListener("visibilitychange", openWhileShown);
    source?.close();
  };
}
