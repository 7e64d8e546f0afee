"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { fetchRead } from "@/app/queries/fetch-read";
import { startRun } from "@/app/queries/start-run";
import { readKey } from "@/lib/console/reads/reads";
import type { ChatEvent } from "@/lib/console/streaming/chat-event";
import type { PromptResult } from "@/lib/contract/operations/prompt-runs";
import { sendCall } from "../playground/actions";
import { applyEvent, end, type Message, newRun } from "../playground/messages/message";
import { savePromptResults } from "./actions";
import { type Cell, runCells, type SendCell } from "./run-cells";

const ASK_EVERY_MS = 300;
const MAX_ATTEMPTS = 20;
/** Results that end within this time are saved together. */
const KEEP_AFTER_MS = 250;
const MAX_SAVED_AT_ONCE = 20;

export interface RunProgress {
  readonly runId: string;
  readonly done: number;
  readonly total: number;
  readonly results: readonly PromptResult[];
}

type Place = { projectId: string; promptId: string };

/** Runs calls from this page. Leaving the page ends the run; results received by then are kept. */
export function useRun({ projectId, promptId }: Place) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<RunProgress | null>(null);
  const [unsaved, setUnsaved] = useState<string | null>(null);
  const stopping = useRef<AbortController | null>(null);
  useEffect(() => () => stopping.current?.abort(), []);

  async function start(runId: string, cells: readonly Cell[]): Promise<void> {
    const controller = new AbortController();
    stopping.current = controller;
    setUnsaved(null);
    setProgress({ runId, done: 0, total: cells.length, results: [] });
    const keeper = keepResults({ projectId, promptId, runId }, setUnsaved);
    await runCells(cells, {
      send: sendFrom(projectId),
      charge: findCharge,
      signal: controller.signal,
      onResult: (result) => {
        keeper.add(result);
        setProgress(
          (before) => before && { ...before, done: before.done + 1, results: [...before.results, result] },
        );
      },
    });
    await keeper.flush();
    await queries.invalidateQueries({ queryKey: readKey("retrievePromptRun") });
    setProgress(null);
  }
  return { progress, unsaved, start, stop: () => stopping.current?.abort() };
}

export type PromptRunning = ReturnType<typeof useRun>;

/** Returns a function that sends calls as the playground does, for the same project. */
function sendFrom(projectId: string): SendCell {
  return async (cell, body, signal) => {
    const sentAt = performance.now();
    const elapsed = () => performance.now() - sentAt;
    let message: Message = { id: "cell", role: "assistant", text: "", run: newRun(cell.model, body) };
    const input = { projectId, endpoint: cell.content.endpoint, body };
    const run = startRun<typeof input, ChatEvent>(sendCall, input, (event) => {
      message = applyEvent(message, event, elapsed());
    });
    const stop = () => run.stop();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    await run.ended;
    signal.removeEventListener("abort", stop);
    return end(message, signal.aborted ? "stopped" : "finished", elapsed());
  };
}

/** Asks several times: a stopped call is charged shortly after its reply ends, so the first answer may be "not found". */
async function findCharge(requestId: string): Promise<string | null> {
  for (let asked = 0; asked < MAX_ATTEMPTS; asked++) {
    const found = await fetchRead(
      "retrieveOwnCharge",
      { request_id: requestId },
      new AbortController().signal,
    ).catch(() => null);
    if (found) return found.amount.replace(/^-/, "");
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
  return null;
}

/** Saves results to the gateway in batches as they arrive. Failed ones are retried with the next batch. */
function keepResults(place: Place & { runId: string }, tell: (problem: string | null) => void) {
  let waiting: PromptResult[] = [];
  let saving: Promise<void> = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const save = async () => {
    timer = null;
    while (waiting.length > 0) {
      const results = waiting.slice(0, MAX_SAVED_AT_ONCE);
      const reply = await savePromptResults({ ...place, results }).catch(() => null);
      tell(reply?.ok ? null : (reply?.message ?? "The console does not answer."));
      if (!reply?.ok) return;
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
      timer ??= setTimeout(() => void later(), KEEP_AFTER_MS);
    },
    flush: later,
  };
}
