import { gatewayRuntime } from "@/lib/dev/launch/start-gateway";
import { withoutOwnVariables } from "../support/programs/start-program";
import type { ScenarioOrder } from "./scenario";

/** How a start is ended before it can finish, unless it is faster. */
type StartEnd =
  | { readonly kind: "statement"; readonly number: number }
  | { readonly kind: "moment"; readonly afterMs: number; readonly signal: NodeJS.Signals }
  /** The kernel refuses each byte of a file beyond this size, as a full disk does. */
  | { readonly kind: "full disk"; readonly bytes: number };

/** A start on an idle machine takes about as long. */
const START_MS = 1_000;
/** More than the largest file of a new data folder. */
const DISK_BYTES = 3_000_000;

/**
 * Half of the ends are before each of a start's statements in turn, the others at any moment and at any size of a disk.
 */
export function drawEnd(index: number, statements: number, { size, random }: ScenarioOrder): StartEnd {
  if (index % 2 === 0) return { kind: "statement", number: Math.ceil(((index + 1) * statements) / size) };
  if (random.chance(0.3)) return { kind: "full disk", bytes: random.between(0, DISK_BYTES) };
  const signal = random.pick(["SIGKILL", "SIGINT"] as const);
  return { kind: "moment", afterMs: random.between(0, START_MS), signal };
}

/** What became of a start: it was ended, it was faster than its end, or it refused, with what it wrote. */
interface EndedStart {
  readonly kind: "ended" | "started" | "refused";
  /** What it wrote. */
  readonly text: string;
}

/** Starts the gateway with these preloads, and ends it. */
export async function endStart(
  env: Record<string, string>,
  end: StartEnd,
  preloads: readonly string[] = [],
): Promise<EndedStart> {
  const ready = Promise.withResolvers<"started">();
  let text = "";
  const child = Bun.spawn(buildCommand(end, preloads), {
    env: { ...withoutOwnVariables(), ...gatewayRuntime, ...env, END_AT_STATEMENT: findStatement(end) },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    serialization: "json",
    ipc(message: { type?: string; lines?: string[] }) {
      if (message.type === "ready") ready.resolve("started");
      if (message.type === "fault") text += `${message.lines?.join("\n")}\n`;
    },
  });
  const outputs = [child.stdout, child.stderr].map((output) => new Response(output).text());
  const gone = child.exited.then(() => "gone" as const);
  const timer = end.kind === "moment" && setTimeout(() => child.kill(end.signal), end.afterMs);
  const how = await Promise.race([ready.promise, gone]);
  if (timer) clearTimeout(timer);
  const { signalCode } = child;
  child.kill("SIGKILL");
  text += (await Promise.all(outputs)).join("");
  if (how === "started") return { kind: "started", text };
  return { kind: signalCode === null && child.exitCode !== 0 ? "refused" : "ended", text };
}

/** Beyond all of a start's where the start isn't ended before a statement. */
function findStatement(end: StartEnd): string {
  return String(end.kind === "statement" ? end.number : Number.MAX_SAFE_INTEGER);
}

function buildCommand(end: StartEnd, preloads: readonly string[]): string[] {
  const start = ["node_modules/.bin/bun", "--no-orphans", ...buildPreloads(preloads)];
  const command = [...start, ...buildPreloads(["./e2e/chaos/end-at-statement.ts"]), "lib/gateway/main.ts"];
  return end.kind === "full disk" ? ["prlimit", `--fsize=${end.bytes}:unlimited`, ...command] : command;
}

export const buildPreloads = (preloads: readonly string[]) => preloads.flatMap((file) => ["--preload", file]);
