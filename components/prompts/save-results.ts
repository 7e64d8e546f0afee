import type { PromptResult } from "@/lib/contract/operations/playground/prompt-runs";

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

export interface SaveProblem {
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
