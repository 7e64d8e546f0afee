"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { sendCall } from "@/components/playground/actions";
import { stopCallOfPage } from "@/components/playground/answers/cancel-running";
import { awaitCharge } from "@/components/playground/calls/await-charge";
import { applyEvent, end, type Message, newCallState } from "@/components/playground/messages/message";
import { callAction } from "@/components/queries/actions/call-action";
import { useCreate } from "@/components/queries/actions/use-create";
import { startStream } from "@/components/queries/streams/start-stream";
import { registerUnsaved } from "@/components/ui/dialog/unsaved";
import { Notice } from "@/components/ui/notice";
import { ProblemError } from "@/lib/console/gateway/problem";
import { buildReadKey } from "@/lib/console/reads/reads";
import type { ChatEvent } from "@/lib/console/streaming/chat-event";
import type { PromptResult } from "@/lib/contract/operations/playground/prompt-runs";
import type { Prompt } from "@/lib/contract/operations/playground/prompts";
import { createPromptRun, savePromptResults } from "./actions";
import { type Cell, runCells, type SendCell } from "./run-cells";

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

/** Results that end within this time are saved together. */
const SAVE_AFTER_MS = 250;
const MAX_SAVED_AT_ONCE = 20;
/** Characters of answers. The gateway accepts two megabytes, and a character is up to three bytes. */
const MAX_SAVED_LENGTH = 500_000;
/** After the last pause, only `saveAll` tries again. */
const RETRY_AFTER_MS = [2_000, 5_000, 15_000, 30_000];

interface ResultOfRun {
  readonly runId: string;
  readonly result: PromptResult;
}

/** Results that could not be saved, of any run, and why. */
export interface UnsavedResults {
  readonly problem: SaveProblem;
  readonly results: readonly ResultOfRun[];
}

interface SaveProblem {
  readonly code: string;
  readonly message: string;
}

interface SavingOptions {
  /** Returns why the results were not saved; null if they were. */
  readonly save: (runId: string, results: readonly PromptResult[]) => Promise<SaveProblem | null>;
  /** Receives what is not saved after an attempt; null once all is. */
  readonly report: (unsaved: UnsavedResults | null) => void;
  readonly schedule?: (work: () => void, afterMs: number) => void;
}

interface ResultSaver {
  add(runId: string, result: PromptResult): void;
  /**
   * Tries at once.
   * @returns whether all results are saved.
   */
  saveAll(): Promise<boolean>;
}

/**
 * Saves results as they arrive, several at once. Those that could not be saved are kept, and tried again after a pause.
 */
export function createResultSaver({ save, report, schedule = setTimeout }: SavingOptions): ResultSaver {
  let waiting: readonly ResultOfRun[] = [];
  let saving: Promise<boolean> = Promise.resolve(true);
  let isScheduled = false;
  let attempts = 0;
  let wasUnsaved = false;

  const trySaving = async () => {
    let problem: SaveProblem | null = null;
    for (const runId of new Set(waiting.map((one) => one.runId))) problem = (await saveRun(runId)) ?? problem;
    if (problem) {
      report({ problem, results: waiting });
      const pause = RETRY_AFTER_MS[attempts++];
      if (pause !== undefined) later(pause);
    } else {
      attempts = 0;
      if (wasUnsaved) report(null);
    }
    wasUnsaved = problem !== null;
    return problem === null;
  };
  const saveRun = async (runId: string) => {
    for (let batch = takeBatch(waiting, runId); batch.length > 0; batch = takeBatch(waiting, runId)) {
      const sent = batch;
      const problem = await save(
        runId,
        sent.map(({ result }) => result),
      );
      if (problem) return problem;
      waiting = waiting.filter((one) => !sent.includes(one));
    }
    return null;
  };
  const saveAll = () => {
    saving = saving.then(trySaving);
    return saving;
  };
  const later = (afterMs: number) => {
    if (isScheduled) return;
    isScheduled = true;
    schedule(() => {
      isScheduled = false;
      void saveAll();
    }, afterMs);
  };
  return {
    add(runId, result) {
      waiting = [...waiting, { runId, result }];
      later(SAVE_AFTER_MS);
    },
    saveAll() {
      attempts = 0;
      return saveAll();
    },
  };
}

function takeBatch(waiting: readonly ResultOfRun[], runId: string): readonly ResultOfRun[] {
  const batch: ResultOfRun[] = [];
  let length = 0;
  for (const one of waiting.filter((other) => other.runId === runId).slice(0, MAX_SAVED_AT_ONCE)) {
    length += one.result.answer.length;
    if (length > MAX_SAVED_LENGTH && batch.length > 0) break;
    batch.push(one);
  }
  return batch;
}

interface NewRunStart {
  /** Creates the run at the gateway, then sends its calls from this page. */
  start(versions: readonly number[], models: readonly string[], cells: readonly Cell[]): void;
  readonly isPending: boolean;
  /** Why the last one could not be started; null if it could. */
  readonly refusal: ReactNode;
}

/** Starts runs of a prompt's cases. `begun` receives the id of each. */
export function useNewRun(
  prompt: Pick<Prompt, "id" | "project_id">,
  running: Pick<PromptRunning, "start" | "hasLeft">,
  begun: (runId: string) => void,
): NewRunStart {
  const asked = useRef<readonly Cell[]>([]);
  const { mutate, error, isPending } = useCreate(createPromptRun, {
    refetch: ["listPromptRuns"],
    onSuccess: (run) => {
      // The reply can come after the page was left, where nobody would see or stop the calls.
      if (running.hasLeft()) return;
      begun(run.id);
      void running.start(run.id, asked.current);
    },
  });
  const ids = { projectId: prompt.project_id, promptId: prompt.id };
  return {
    start(versions, models, cells) {
      asked.current = cells;
      mutate({ ...ids, versions: versions.toSorted((one, other) => one - other), models: [...models] });
    },
    isPending,
    refusal: error && (
      <Notice tone="bad" role="alert" title="The run could not be started">
        {error.problem.message}
      </Notice>
    ),
  };
}
