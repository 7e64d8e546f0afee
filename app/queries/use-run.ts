"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { cancelRun } from "./cancel-run";
import { consoleAway, leaveForSignIn } from "./fetch-read";

type StreamingAction<Input, Event> = (runId: string, input: Input) => Promise<ReadableStream<Event>>;
type ProblemEvent = { type: "problem"; problem: typeof consoleAway };

/**
 * Runs a streaming action, one run at a time. `start` resolves when the run has ended, by itself or by `stop`, and
 * never rejects: what went wrong is the last event. Leaving the screen stops the run.
 */
export function useRun<Input, Event extends { type: string }>(
  action: StreamingAction<Input, Event | ProblemEvent>,
) {
  const current = useRef<string | null>(null);
  const [isRunning, setIsRunning] = useState(false);

  const stop = useCallback(() => {
    const runId = current.current;
    current.current = null;
    setIsRunning(false);
    // The reader is left to run out by itself: cancelling it would not reach the server, and would break other runs.
    if (runId) void cancelRun(runId).catch(() => {});
  }, []);

  const start = useCallback(
    async (input: Input, onEvent: (event: Event | ProblemEvent) => void) => {
      stop();
      const runId = newRunId();
      current.current = runId;
      setIsRunning(true);
      await follow<Event | ProblemEvent>(
        () => action(runId, input),
        () => current.current === runId,
        onEvent,
      );
      if (current.current === runId) {
        current.current = null;
        setIsRunning(false);
      }
    },
    [action, stop],
  );

  useEffect(() => stop, [stop]);

  return { start, stop, isRunning };
}

async function follow<Event>(
  open: () => Promise<ReadableStream<Event>>,
  isCurrent: () => boolean,
  onEvent: (event: Event | ProblemEvent) => void,
): Promise<void> {
  try {
    const reader = (await open()).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (!isCurrent()) continue;
      onEvent(next.value);
      if (isOver(next.value)) leaveForSignIn();
    }
  } catch {
    if (isCurrent()) onEvent({ type: "problem", problem: consoleAway });
  }
}

function isOver(event: unknown): boolean {
  return (event as Partial<ProblemEvent>).problem?.code === "unauthenticated";
}

/** Random enough to be unique to a session; `crypto.randomUUID` is missing on plain http addresses. */
function newRunId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
}
