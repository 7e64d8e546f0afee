import { LaunchFault } from "@/lib/dev/launch-fault";
import type { Program } from "@/lib/dev/program";

class StopRequest extends Error {}

export type Launch = {
  /** Registers a program as running; it is stopped when the launch ends, however it ends. */
  run: <T>(started: { program: Program; ready: Promise<T> }) => Promise<T>;
  /** Resolves to the value, unless a stop is asked for first. */
  unlessStopped: <T>(work: Promise<T>) => Promise<T>;
};

/**
 * Runs `begin`, then waits until a program ends or a stop is asked for (Ctrl-C, SIGTERM, SIGHUP), and stops
 * every program. Returns the exit code: 0 after a stop, 1 after a fault or when a program ended by itself.
 */
export async function launch(begin: (launch: Launch) => Promise<void>): Promise<number> {
  const programs: Program[] = [];
  const stopped = stopRequest();
  const unlessStopped = <T>(work: Promise<T>) => Promise.race([work, stopped]);
  try {
    await unlessStopped(
      begin({
        unlessStopped,
        run({ program, ready }) {
          programs.push(program);
          return unlessStopped(ready);
        },
      }),
    );
    const end = await unlessStopped(Promise.race(programs.map((program) => program.ended)));
    console.error(`${end} Stopping ${programs.length > 1 ? "the other one too" : ""}.`);
    return 1;
  } catch (error) {
    if (error instanceof StopRequest) {
      console.log("\nStopping…");
      return 0;
    }
    if (!(error instanceof LaunchFault)) throw error;
    for (const line of error.lines) console.error(line);
    return 1;
  } finally {
    await Promise.all(programs.map((program) => program.stop()));
  }
}

/** Rejects at the first signal; the second one ends this process at once, and its children with it. */
function stopRequest(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  let asked = false;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (asked) process.exit(130);
      asked = true;
      reject(new StopRequest());
    });
  }
  promise.catch(() => {});
  return promise;
}
