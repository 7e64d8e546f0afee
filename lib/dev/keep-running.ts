import { LaunchFault } from "@/lib/dev/launch-fault";
import type { Program, Started } from "@/lib/dev/program";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** A program that ran for this long was well: its next end is the first of its kind. */
const WELL_AFTER_MS = 60_000;

/** A program that refused to start, in its own words: starting it again would end the same way. */
export class RefusedStart extends LaunchFault {}

type Surroundings = {
  /** Aborts when everything is to stop. */
  signal: AbortSignal;
  say: (line: string) => void;
  /** Resolves after the time, or when the signal aborts. */
  pause: (ms: number) => Promise<void>;
  nowMs: () => number;
};

/**
 * Starts a program again whenever it ends, after 1, 2, 4 … 30 s, and says so. Returns once everything is to stop.
 * @throws RefusedStart when it refuses to start.
 */
export async function keepRunning(
  first: Program,
  start: () => Started<unknown>,
  { signal, say, pause, nowMs }: Surroundings,
): Promise<void> {
  let program = first;
  let startedAtMs = nowMs();
  let pauseMs = FIRST_PAUSE_MS;
  while (true) {
    const end = await program.ended;
    if (signal.aborted) return;
    if (nowMs() - startedAtMs >= WELL_AFTER_MS) pauseMs = FIRST_PAUSE_MS;
    say(`${end} Starting it again in ${pauseMs / 1000} s.`);
    await pause(pauseMs);
    if (signal.aborted) return;
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    startedAtMs = nowMs();
    const started = start();
    program = started.program;
    await started.ready.then(
      () => say(`The ${program.name} answers again.`),
      (error: unknown) => giveUpOrStop(error, program),
    );
  }
}

/** One that neither answers nor ends is ended, and so started again. */
async function giveUpOrStop(error: unknown, program: Program): Promise<void> {
  if (error instanceof RefusedStart || !(error instanceof LaunchFault)) throw error;
  await program.stop();
}
