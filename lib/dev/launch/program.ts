const KEPT_LINES = 30;
/** How long a program may take to finish its requests before it is killed. */
const STOP_TIMEOUT_MS = 75_000;

export type Program = {
  name: string;
  /** Resolves with one line about how it ended. */
  exit: Promise<string>;
  /** Prints its output from now on; before, only the last lines are kept for `fault`. */
  showOutput: (print: (line: string) => void) => void;
  /** Describes a program that ended before it was ready, by its last output. */
  fault: (line: string) => LaunchFault;
  stop: () => Promise<void>;
};

/** A program, and what it says once it is ready; `ready` rejects with a LaunchFault when it ends instead. */
export type StartedProgram<Ready> = { program: Program; ready: Promise<Ready> };

type ProgramOptions = {
  name: string;
  command: string[];
  env: Record<string, string | undefined>;
  onMessage?: (message: unknown) => void;
  stopTimeoutMs?: number;
};

/** Starts a program that runs until it is stopped. */
export function startProgram({
  name,
  command,
  env,
  onMessage,
  stopTimeoutMs = STOP_TIMEOUT_MS,
}: ProgramOptions): Program {
  const lastLines: string[] = [];
  let print = (line: string) => {
    lastLines.push(line);
    if (lastLines.length > KEPT_LINES) lastLines.shift();
  };
  const child = Bun.spawn(command, {
    env,
    stdin: "ignore",
    // Ctrl-C reaches this process only, which then stops the others in order.
    detached: true,
    stdout: "pipe",
    stderr: "pipe",
    ...(onMessage && { ipc: onMessage, serialization: "json" as const }),
  });
  const outputRead = Promise.all(
    [child.stdout, child.stderr].map((output) => readLines(output, (line) => print(line))),
  );
  const exitWords = child.exited.then(() => describeEnd(name, child));
  return {
    name,
    // A grandchild may hold the pipes open, so wait for the last output only briefly.
    exit: exitWords.then((line) => Promise.race([outputRead, Bun.sleep(200)]).then(() => line)),
    showOutput(show) {
      print = show;
    },
    fault: (line) => new LaunchFault([line, ...lastLines.map((word) => `  ${word}`)]),
    async stop() {
      child.kill("SIGTERM");
      const timeout = setTimeout(() => child.kill("SIGKILL"), stopTimeoutMs);
      await exitWords;
      clearTimeout(timeout);
    },
  };
}

/** Rejects when the program ends, with its last output. Race it against readiness. */
export async function endedTooSoon(program: Program): Promise<never> {
  throw program.fault(await program.exit);
}

function describeEnd(name: string, child: Bun.Subprocess): string {
  return child.signalCode
    ? `The ${name} was ended by ${child.signalCode}.`
    : `The ${name} ended with exit code ${child.exitCode}.`;
}

async function readLines(output: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let unfinishedLine = "";
  for await (const chunk of output) {
    const lines = (unfinishedLine + decoder.decode(chunk, { stream: true })).split("\n");
    unfinishedLine = lines.pop() ?? "";
    for (const line of lines) take(line.trimEnd());
  }
  if (unfinishedLine !== "") take(unfinishedLine);
}

/** Why nothing can be started: each line is one fault with its correction. Shown without a stack trace. */
export class LaunchFault extends Error {
  constructor(readonly lines: string[]) {
    super(lines.join("\n"));
  }
}

const TIMEOUT_MS = 60_000;
const PAUSE_MS = 50;

/**
 * Resolves once the address answers with a status below 500.
 * @throws LaunchFault after a minute without an answer.
 */
export async function waitForAnswer(url: string): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  let last = "no answer";
  while (performance.now() < deadline) {
    try {
      const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
      await response.body?.cancel();
      if (response.status < 500) return;
      last = `status ${response.status}`;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    await Bun.sleep(PAUSE_MS);
  }
  throw new LaunchFault([`${url} did not answer within ${TIMEOUT_MS / 1000} seconds: ${last}`]);
}

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
