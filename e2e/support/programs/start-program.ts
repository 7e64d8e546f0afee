import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Variables that only tests set. Values of the machine are dropped, so that every run starts the same, and those with
 * which the process of the tests keeps its memory.
 */
const OWN_VARIABLES = /^(GATEHOUSE_|GATEWAY_|MIMALLOC_|BUN_JSC_|DATABASE_URL$|VALKEY_URL$|PORT$|HOST$)/;

export type RunningProgram<Ready> = {
  ready: Ready;
  pid: number;
  /** Returns everything written so far. */
  output: () => string;
  /** Stops it as Ctrl-C would, or with another signal, and waits until it has exited. */
  stop: (signal?: NodeJS.Signals) => Promise<void>;
};

/** Starts one of the project's programs and waits for `{type: "ready", …}` on its IPC channel. */
export async function startProgram<Ready>(
  args: string[],
  env: Record<string, string>,
): Promise<RunningProgram<Ready>> {
  const child = spawn("node_modules/.bin/bun", ["--no-orphans", ...args], {
    env: { ...withoutOwnVariables(), ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let written = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      written += text;
    });
  }
  const exited = once(child, "exit");
  const ready = new Promise<Ready>((resolve, reject) => {
    child.on("message", (message: { type?: string; lines?: string[] }) => {
      if (message.type === "ready") resolve(message as Ready);
      if (message.type === "fault") written += message.lines?.join("\n") ?? "";
    });
    exited.then(() => reject(new Error(`${args.join(" ")} ended before it was ready:\n${written}`)));
  });
  return {
    ready: await ready,
    pid: child.pid ?? 0,
    output: () => written,
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      await exited;
    },
  };
}

export function makeDataFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "gatehouse-e2e-"));
}

export function withoutOwnVariables(): NodeJS.ProcessEnv {
  const own = Object.keys(process.env).filter((name) => OWN_VARIABLES.test(name));
  return { ...process.env, ...Object.fromEntries(own.map((name) => [name, undefined])) };
}
