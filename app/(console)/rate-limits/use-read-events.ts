"use client";

import { type RefObject, useEffect, useRef } from "react";
import { reloadIfReplaced } from "@/components/session/page-person";
import { buildReadUrl, type ReadId, type ReadParameters } from "@/lib/console/reads/reads";

/**
 * Follows a read's event stream while the page is visible. Calls `onEvent` with each event's data. The browser reopens
 * a stream that ends. A refused one, as while the gateway is down, is opened again after a pause.
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
  useEffect(() => followReadEvents(url, receive), [url]);
}

const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 60_000;

/** @returns a function that closes the stream. */
export function followReadEvents<Data>(url: string, receive: RefObject<(data: Data) => void>): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = null;
  };
  const open = () => {
    const opened = new EventSource(url);
    source = opened;
    opened.onmessage = ({ data }: MessageEvent<string>) => {
      pauseMs = FIRST_PAUSE_MS;
      receive.current(JSON.parse(data) as Data);
    };
    opened.onerror = () => {
      // The browser opens it again itself, unless the reply was no event stream.
      if (opened.readyState !== EventSource.CLOSED || source !== opened) return;
      timer = setTimeout(open, pauseMs);
      pauseMs = Math.min(MAX_PAUSE_MS, 2 * pauseMs);
    };
  };
  const openWhileShown = () => {
    close();
    if (!document.hidden && !reloadIfReplaced()) open();
  };
  openWhileShown();
  document.addEventListener("visibilitychange", openWhileShown);
  return () => {
    document.removeEventListener("visibilitychange", openWhileShown);
    close();
  };
}
