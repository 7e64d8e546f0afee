import { setTimeout as sleep } from "node:timers/promises";
import { keepRunning, LaunchFault, type Program, type StartedProgram } from "@/lib/dev/launch/program";

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

export type RunningService = {
  consoleUrl: string;
  /** Origin, without `/v1`. */
  gatewayUrl: string;
  /** Unknown for a gateway elsewhere. */
  gateway: { adminKey?: string; signInToken?: string; data: string } | null;
};

export function signInUrl({ consoleUrl, gateway }: RunningService): string {
  const token = gateway?.signInToken;
  return token ? `${consoleUrl}/sign-in#token=${token}` : `${consoleUrl}/sign-in`;
}

/** The first admin key, as soon as it is made; no line for a later start. */
export function describeFirstKey({ adminKey }: { readonly adminKey?: string }): string[] {
  return adminKey ? ["", `  Admin key     ${adminKey}  (shown at this start only)`, ""] : [];
}

/** The final lines of a start: the addresses, and how to stop. */
export function describeRunning(service: RunningService): string[] {
  const { consoleUrl, gatewayUrl, gateway } = service;
  const rows: [string, string][] = [["Console", consoleUrl]];
  if (gateway?.signInToken) rows.push(["Sign in", `${signInUrl(service)}  (works once)`]);
  else if (gateway) rows.push(["Sign in", "with an admin key, or a new link from: npm run sign-in-link"]);
  if (gateway?.adminKey) rows.push(["Admin key", `${gateway.adminKey}  (shown at this start only)`]);
  rows.push(["Base address", `${gatewayUrl}/v1`]);
  if (gateway) rows.push(["Data", gateway.data]);
  rows.push(["Stop", "Ctrl-C"]);
  return [
    "",
    "Gatehouse is running.",
    "",
    ...rows.map(([name, value]) => `  ${name.padEnd(14)}${value}`),
    "",
  ];
}
