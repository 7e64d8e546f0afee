import { LaunchFault } from "@/lib/dev/launch/launch-fault";

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
