"use client";

import { type RefObject, useEffect, useRef } from "react";
import { type ReadId, type ReadParameters, readUrl } from "@/lib/console/reads";

/**
 * Follows a read that the gateway tells as events, while the page is looked at. `onEvent` gets each event's data. A stream that
 * ends is opened again by the browser; one that is refused is not, and what the read itself brought stays.
 */
export function useReadEvents<Data>(
  id: ReadId,
  parameters: ReadParameters,
  onEvent: (data: Data) => void,
): void {
  const url = readUrl(id, parameters);
  const receive = useRef(onEvent);
  useEffect(() => {
    receive.current = onEvent;
  }, [onEvent]);
  useEffect(() => follow(url, receive), [url]);
}

/** @returns a function that ends it. */
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
