"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { sendCall } from "@/components/playground/actions";
import { stopCallOfPage } from "@/components/playground/answers/cancel-running";
import { awaitCharge } from "@/components/playground/calls/await-charge";
import { applyEvent, end, type Message, newCallState } from "@/components/playground/messages/message";
import { callAction } from "@/components/queries/actions/call-action";
import { startStream } from "@/components/queries/streams/start-stream";
import { registerUnsaved } from "@/components/ui/dialog/unsaved";
import { ProblemError } from "@/lib/console/gateway/problem";
import { buildReadKey } from "@/lib/console/reads/reads";
import type { ChatEvent } from "@/lib/console/streaming/chat-event";
import type { PromptResult } from "@/lib/contract/operations/playground/prompt-runs";
import { savePromptResults } from "./actions";
import { type Cell, runCells, type SendCell } from "./run-cells";
import { createResultSaver, type SaveProblem, type UnsavedResults } from "./save-results";

export interface RunProgress {
  readonly runId: string;
  readonly done: number;
  readonly total: number;
  readonly results: readonly PromptResult[];
}

type PromptIds = { projectId: string; promptId: string };

/** Runs calls from this page. Leaving the page ends the run; results received by then are saved. */
export function useRun({ projectId, promptId }: PromptIds) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<RunProgress | null>(null);
  const [unsaved, setUnsaved] = useState<UnsavedResults | null>(null);
  const [uncharged, setUncharged] = useState<string | null>(null);
  const [isBrokenOff, setBrokenOff] = useState(false);
  const stopping = useRef<AbortController | null>(null);
  const hasLeft = useHasLeft(() => stopping.current?.abort());
  const refetchRun = () => queries.invalidateQueries({ queryKey: buildReadKey("retrievePromptRun") });
  const [saver] = useState(() =>
    createResultSaver({
      save: (runId, results) => saveResults({ projectId, promptId, runId, results: [...results] }),
      report: (left) => void (left ? setUnsaved(left) : refetchRun().then(() => setUnsaved(null))),
    }),
  );
  useUnsavedQuestion(unsaved?.results.length ?? 0);

  async function start(runId: string, cells: readonly Cell[]): Promise<void> {
    if (hasLeft()) return;
    const controller = new AbortController();
    stopping.current = controller;
    setUncharged(null);
    setBrokenOff(false);
    setProgress({ runId, done: 0, total: cells.length, results: [] });
    try {
      await runCells(cells, {
        send: sendFrom(projectId),
        charge: (requestId) => findCharge(requestId, setUncharged),
        signal: controller.signal,
        onResult: (result) => {
          saver.add(runId, result);
          setProgress(
            (before) => before && { ...before, done: before.done + 1, results: [...before.results, result] },
          );
        },
      });
    } catch (error) {
      reportError(error);
      setBrokenOff(true);
    } finally {
      // A read would lead to the sign-in screen if the session has ended, without the results.
      if (await saver.saveAll()) await refetchRun();
      setProgress(null);
    }
  }
  return {
    progress,
    unsaved,
    uncharged,
    isBrokenOff,
    start,
    stop: () => stopping.current?.abort(),
    saveAgain: () => void saver.saveAll(),
    hasLeft,
  };
}

export type PromptRunning = ReturnType<typeof useRun>;

/** Returns the results of a run that only this page has: of calls in progress, and those that could not be saved. */
export function listHeldResults(
  { progress, unsaved }: Pick<PromptRunning, "progress" | "unsaved">,
  runId: string,
): readonly PromptResult[] {
  const failed = unsaved?.results.flatMap((one) => (one.runId === runId ? [one.result] : [])) ?? [];
  return [...failed, ...(progress?.runId === runId ? progress.results : [])];
}

/** Returns whether the page was left, which can be before a reply to it has come. */
function useHasLeft(leave: () => void): () => boolean {
  const hasLeft = useRef(false);
  const onLeave = useEffectEvent(leave);
  useEffect(() => {
    hasLeft.current = false;
    return () => {
      hasLeft.current = true;
      onLeave();
    };
  }, []);
  return () => hasLeft.current;
}

/** Asks before results are lost whose calls were paid for. */
function useUnsavedQuestion(count: number): void {
  const describe = useEffectEvent(() =>
    count === 0
      ? null
      : { title: "Leave without the results?", text: "Some results of the run could not be saved yet." },
  );
  useEffect(() => registerUnsaved({ dialog: null, describe: () => describe(), discard: () => {} }), []);
}

/** Returns a function that sends calls as the playground does, for the same project. */
function sendFrom(projectId: string): SendCell {
  return async (cell, body, signal) => {
    const sentAt = performance.now();
    const elapsed = () => performance.now() - sentAt;
    let message: Message = { id: "cell", role: "assistant", text: "", call: newCallState(cell.model, body) };
    const input = { projectId, endpoint: cell.content.endpoint, body };
    const stream = startStream<typeof input, ChatEvent>(sendCall, input, (event) => {
      message = applyEvent(message, event, elapsed());
    });
    const stop = () => void stopCallOfPage(stream);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    await stream.ended;
    signal.removeEventListener("abort", stop);
    return end(message, signal.aborted ? "stopped" : "finished", elapsed());
  };
}

/**
 * Returns the charge as a positive amount; null if there is none. Passes the problem to `report` if it can't be read.
 */
async function findCharge(requestId: string, report: (problem: string) => void): Promise<string | null> {
  try {
    const entry = await awaitCharge(requestId, new AbortController().signal);
    return entry?.amount.replace(/^-/, "") ?? null;
  } catch (error) {
    report(error instanceof ProblemError ? error.problem.message : String(error));
    return null;
  }
}

async function saveResults(input: Parameters<typeof savePromptResults>[0]): Promise<SaveProblem | null> {
  const reply = await callAction(() => savePromptResults(input), "none");
  return reply.ok ? null : reply;
}
