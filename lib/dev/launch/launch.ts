import { setTimeout as sleep } from "node:timers/promises";
import { keepRunning } from "@/lib/dev/launch/keep-running";
import { LaunchFault } from "@/lib/dev/launch/launch-fault";
import type { Program, StartedProgram } from "@/lib/dev/launch/program";

class StopRequest extends Error {}

export type Launch = {
  /** Starts a program, restarts it when it ends, and stops it when the launch ends in any way. */
  run: <T>(start: () => StartedProgram<T>) => Promise<T>;
  /** Resolves to the value, unless a stop is asked for first. */
  unlessStopped: <T>(work: Promise<T>) => Promise<T>;
};

/**
 * Runs `startAll`, then keeps the programs running until a stop is requested (Ctrl-C, SIGTERM, SIGHUP), and stops all
 * of them.
 * @returns the exit code: 0 after a stop, 1 after a fault or when a program refuses to start again.
 */
export async function launch(startAll: (launch: Launch) => Promise<void>): Promise<number> {
  const runningPrograms = new Set<Program>();
  const restartable: { first: Program; start: () => StartedProgram<unknown> }[] = [];
  const stopping = new AbortController();
  const stopSignal = stopRequest();
  const unlessStopped = <T>(work: Promise<T>) => Promise.race([work, stopSignal]);
  try {
    await unlessStopped(
      startAll({
        unlessStopped,
        run(start) {
          const startNoted = () => {
            const startedProgram = start();
            runningPrograms.add(startedProgram.program);
            void startedProgram.program.exit.then(() => runningPrograms.delete(startedProgram.program));
            return startedProgram;
          };
          const { program, ready } = startNoted();
          restartable.push({ first: program, start: startNoted });
          return unlessStopped(ready);
        },
      }),
    );
    const surroundings = {
      signal: stopping.signal,
      say: console.error,
      pause: (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => {}),
      nowMs: () => performance.now(),
    };
    await unlessStopped(
      Promise.all(restartable.map(({ first, start }) => keepRunning(first, start, surroundings))),
    );
    return 0;
  } catch (error) {
    if (error instanceof StopRequest) {
      console.log("\nStopping…");
      return 0;
    }
    if (!(error instanceof LaunchFault)) throw error;
    for (const line of error.lines) console.error(line);
    return 1;
  } finally {
    stopping.abort();
    await Promise.all([...runningPrograms].map((program) => program.stop()));
  }
}

/** Rejects at the first signal; the second one ends this process and its children at once. */
function stopRequest(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  let isStopAsked = false;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (isStopAsked) process.exit(130);
      isStopAsked = true;
      reject(new StopRequest());
    });
  }
  promise.catch(() => {});
  return promise;
}
