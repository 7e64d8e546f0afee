import { readdirSync, readFileSync } from "node:fs";

interface Ready {
  readonly type: "ready";
  readonly url: string;
  readonly adminKey?: string;
  /** Set by the fake provider: its address over TLS. */
  readonly secureUrl?: string;
}

export interface Program {
  readonly ready: Ready;
  readonly pid: number;
  send(message: object): void;
  /** The next message after `ready`. */
  receive<Message>(): Promise<Message>;
  stop(): Promise<void>;
}

/** A program that takes longer to stop is killed, and what it left unfinished shows in its ledger. */
const STOP_MS = 20_000;

/** Starts a Bun program of this repository and waits until it says that it is ready. */
export async function startBenchProgram(file: string, env: Record<string, string> = {}): Promise<Program> {
  const waiting: ((message: unknown) => void)[] = [];
  const next = () => new Promise<unknown>((resolve) => waiting.push(resolve));
  const first = next();
  const child = Bun.spawn([process.execPath, "--no-orphans", file], {
    env: { ...process.env, ...env },
    stdout: "ignore",
    stderr: "inherit",
    ipc: (message) => waiting.shift()?.(message),
  });
  const died = child.exited.then((code) => {
    throw new Error(`${file} ended with ${code}`);
  });
  died.catch(() => {});
  return {
    ready: (await Promise.race([first, died])) as Ready,
    pid: child.pid,
    send: (message) => child.send(message),
    receive: <Message>() => Promise.race([next(), died]) as Promise<Message>,
    async stop() {
      child.kill("SIGTERM");
      const overdue = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
      await child.exited;
      clearTimeout(overdue);
    },
  };
}

const TICKS_PER_SECOND = 100;

/**
 * User and system time of a process, its threads and its ended children in microseconds. Linux counts it in steps of 10
 * ms.
 */
export function readCpuMicroseconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The program's name is in parentheses and may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = fields.slice(11, 15).reduce((sum, value) => sum + Number(value), 0);
  return (ticks * 1_000_000) / TICKS_PER_SECOND;
}

/** How the names of compiler threads begin. */
const COMPILER = "JIT";

/** Like `readCpuMicroseconds`, for the running compiler threads only, and precise to a microsecond. */
export function readCompilerMicroseconds(pid: number): number {
  const threads = `/proc/${pid}/task`;
  return readdirSync(threads).reduce((sum, id) => {
    try {
      const isCompiler = readFileSync(`${threads}/${id}/comm`, "utf8").startsWith(COMPILER);
      return isCompiler
        ? sum + Number(readFileSync(`${threads}/${id}/schedstat`, "utf8").split(" ")[0]) / 1_000
        : sum;
    } catch {
      return sum;
    }
  }, 0);
}

/** Processor time that the whole machine has used, in microseconds. */
export function readMachineMicroseconds(): number {
  const [, user, nice, system, , , irq, softirq] = readFileSync("/proc/stat", "utf8").split(/\s+/, 8);
  const ticks = [user, nice, system, irq, softirq].reduce((sum, value) => sum + Number(value), 0);
  return (ticks * 1_000_000) / TICKS_PER_SECOND;
}
