import { LaunchFault } from "@/lib/dev/launch/launch-fault";
import type { Program, StartedProgram } from "@/lib/dev/launch/program";

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
/** A program that ran for this long was stable, so its next end counts as the first. */
const WELL_AFTER_MS = 60_000;

/** A program that refused to start, with its own message: restarting it would fail the same way. */
export class RefusedStart extends LaunchFault {}

type Surroundings = {
  /** Aborts when all programs are to stop. */
  signal: AbortSignal;
  say: (line: string) => void;
  /** Resolves after the time, or when the signal aborts. */
  pause: (ms: number) => Promise<void>;
  nowMs: () => number;
};

/**
 * Restarts a program whenever it ends, after 1, 2, 4 … 30 s, and reports it. Returns once all programs are to stop.
 * @throws RefusedStart if it refuses to start.
 */
export async function keepRunning(
  first: Program,
  start: () => StartedProgram<unknown>,
  { signal, say, pause, nowMs }: Surroundings,
): Promise<void> {
  let program = first;
  let startedAtMs = nowMs();
  let pauseMs = FIRST_PAUSE_MS;
  while (true) {
    const end = await program.exit;
    if (signal.aborted) return;
    if (nowMs() - startedAtMs >= WELL_AFTER_MS) pauseMs = FIRST_PAUSE_MS;
    say(`${end} Starting it again in ${pauseMs / 1000} s.`);
    await pause(pauseMs);
    if (signal.aborted) return;
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    startedAtMs = nowMs();
    const startedProgram = start();
    program = startedProgram.program;
    await startedProgram.ready.then(
      () => say(`The ${program.name} answers again.`),
      (error: unknown) => giveUpOrStop(error, program),
    );
  }
}

/** Ends a program that neither answers nor ends, so that it is restarted. */
async function giveUpOrStop(error: unknown, program: Program): Promise<void> {
  if (error instanceof RefusedStart || !(error instanceof LaunchFault)) throw error;
  await program.stop();
}
