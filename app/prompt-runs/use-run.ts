"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { awaitCharge } from "@/app/queries/await-charge";
import { describeConsoleFailure } from "@/app/queries/describe-console-failure";
import { startStream } from "@/app/streams/start-stream";
import { sendCall } from "@/app/workbench/actions";
import { applyEvent, end, type Message, newCallState } from "@/app/workbench/messages/message";
import { stopCallOfPage } from "@/app/workbench/panes/cancel-running";
import { ProblemError } from "@/lib/console/gateway/problem";
import { buildReadKey } from "@/lib/console/reads/reads";
import type { ChatEvent } from "@/lib/console/streaming/chat-event";
import type { PromptResult } from "@/lib/contract/operations/prompt-runs";
import { savePromptResults } from "./actions";
import { type Cell, runCells, type SendCell } from "./run-cells";

/** Results that end within this time are saved together. */
const SAVE_AFTER_MS = 250;
const MAX_SAVED_AT_ONCE = 20;

const BROKEN_OFF =
  "An error on this page ended the run. The results so far are saved. Reload the page, then run the cases again.";

export interface RunProgress {
  readonly runId: string;
  readonly done: number;
  readonly total: number;
  readonly results: readonly PromptResult[];
}

type Place = { projectId: string; promptId: string };

/** Runs calls from this page. Leaving the page ends the run; results received by then are saved. */
export function useRun({ projectId, promptId }: Place) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<RunProgress | null>(null);
  const [unsaved, setUnsaved] = useState<string | null>(null);
  const [uncharged, setUncharged] = useState<string | null>(null);
  const [brokenOff, setBrokenOff] = useState<string | null>(null);
  const stopping = useRef<AbortController | null>(null);
  useEffect(() => () => stopping.current?.abort(), []);

  async function start(runId: string, cells: readonly Cell[]): Promise<void> {
    const controller = new AbortController();
    stopping.current = controller;
    setUnsaved(null);
    setUncharged(null);
    setBrokenOff(null);
    setProgress({ runId, done: 0, total: cells.length, results: [] });
    const saver = saveResultsInBatches({ projectId, promptId, runId }, setUnsaved);
    try {
      await runCells(cells, {
        send: sendFrom(projectId),
        charge: (requestId) => findCharge(requestId, setUncharged),
        signal: controller.signal,
        onResult: (result) => {
          saver.add(result);
          setProgress(
            (before) => before && { ...before, done: before.done + 1, results: [...before.results, result] },
          );
        },
      });
    } catch (error) {
      reportError(error);
      setBrokenOff(BROKEN_OFF);
    } finally {
      await saver.flush();
      await queries.invalidateQueries({ queryKey: buildReadKey("retrievePromptRun") });
      setProgress(null);
    }
  }
  return { progress, unsaved, uncharged, brokenOff, start, stop: () => stopping.current?.abort() };
}

export type PromptRunning = ReturnType<typeof useRun>;

/** Returns a function that sends calls as the playground does, for the same project. */
function sendFrom(projectId: string): SendCell {
  return async (cell, body, signal) => {
    const sentAt = performance.now();
    const elapsed = () => performance.now() - sentAt;
    let message: Message = { id: "cell", role: "assistant", text: "", run: newCallState(cell.model, body) };
    const input = { projectId, endpoint: cell.content.endpoint, body };
    const run = startStream<typeof input, ChatEvent>(sendCall, input, (event) => {
      message = applyEvent(message, event, elapsed());
    });
    const stop = () => void stopCallOfPage(run);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    await run.ended;
    signal.removeEventListener("abort", stop);
    return end(message, signal.aborted ? "stopped" : "finished", elapsed());
  };
}

/** Returns the charge as a positive amount; null if there is none. Passes the problem to `report` if it can't be read. */
async function findCharge(requestId: string, report: (problem: string) => void): Promise<string | null> {
  try {
    const entry = await awaitCharge(requestId, new AbortController().signal);
    return entry?.amount.replace(/^-/, "") ?? null;
  } catch (error) {
    report(error instanceof ProblemError ? error.problem.message : String(error));
    return null;
  }
}

/** Saves results to the gateway in batches as they arrive. Failed ones are retried with the next batch. */
function saveResultsInBatches(place: Place & { runId: string }, report: (problem: string | null) => void) {
  let waiting: PromptResult[] = [];
  let saving: Promise<void> = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const save = async () => {
    timer = null;
    while (waiting.length > 0) {
      const results = waiting.slice(0, MAX_SAVED_AT_ONCE);
      const problem = await savePromptResults({ ...place, results }).then(
        (reply) => (reply.ok ? null : reply),
        (error: unknown) => describeConsoleFailure(error, "none"),
      );
      report(problem && problem.message);
      if (problem) return;
      waiting = waiting.slice(results.length);
    }
  };
  const later = () => {
    saving = saving.then(save);
    return saving;
  };
  return {
    add(result: PromptResult) {
      waiting.push(result);
      timer ??= setTimeout(() => void later(), SAVE_AFTER_MS);
    },
    flush: later,
  };
}
