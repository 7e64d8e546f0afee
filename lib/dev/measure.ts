import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePorts } from "@/lib/dev/find-free-ports";
import { atLeast, atMost, type Figure, formatFigures, meetsTarget } from "@/lib/dev/measure/figure";
import { type Device, listScreens, measureScreens } from "@/lib/dev/measure/measure-screens";
import { findScriptBudget } from "@/lib/dev/measure/weigh-scripts";
import { runProgram } from "@/lib/dev/run-program";

// Measures what the project promises of itself, in a clone of the last commit: what is not committed is not
// measured. `npm run measure -- /sign-in /roles` weighs these screens alone.

const UNTIL_IDLE_MS = 10_000;
/** The screens that Lighthouse judges. */
const JUDGED = ["/sign-in", "/", "/requests", "/usage"];
const MIN_PERFORMANCE: Readonly<Record<Device, number>> = { desktop: 99, phone: 95 };

const folder = await mkdtemp(join(tmpdir(), "gatehouse-measure-"));
try {
  const figures = await measureAll();
  for (const line of formatFigures(figures)) console.log(line);
  const missedTargets = figures.filter((figure) => !meetsTarget(figure)).length;
  console.log(missedTargets === 0 ? "\nall targets met" : `\n${missedTargets} missed`);
  process.exitCode = missedTargets === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measureAll(): Promise<Figure[]> {
  const [port = 0, gatewayPort = 0] = await findFreePorts(2);
  const options = { folder: join(folder, "clone"), dataFolder: join(folder, "data"), port, gatewayPort };
  const cloneResult = await runProgram(["git", "clone", "--quiet", process.cwd(), options.folder]);
  if (cloneResult.exitCode !== 0) throw new Error(`The clone could not be made:\n${cloneResult.output}`);

  console.log("First start, npm ci included …");
  const first = await measureStart("npm ci && exec npm start", options);
  await first.stop();
  return [
    atMost(180, "first start, from nothing", first.seconds, "s"),
    ...(await measureSecondStart(options, first.signInUrl)),
    await measureVerify(options.folder),
  ];
}

async function measureSecondStart(options: StartOptions, signInUrl: string): Promise<Figure[]> {
  console.log("Second start …");
  const second = await measureStart("exec npm start", options);
  try {
    await Bun.sleep(UNTIL_IDLE_MS);
    const { programsMb, allMb } = measureMemory(second.pid);
    return [
      atMost(5, "second start", second.seconds, "s"),
      atMost(350, "gateway and console, idle", programsMb, "MB"),
      { name: "… with launcher and npm", value: allMb, unit: "MB", target: null },
      ...(await measureConsole(second.consoleUrl, signInUrl)),
    ];
  } finally {
    await second.stop();
  }
}

async function measureConsole(consoleUrl: string, signInUrl: string): Promise<Figure[]> {
  console.log("Screens …");
  const words = process.argv.slice(2);
  const urls = words.length > 0 ? words : await listScreens();
  const judgedUrls = urls.filter((url) => JUDGED.includes(url));
  const { screens, scores } = await measureScreens(consoleUrl, signInUrl, urls, judgedUrls);
  return [
    ...screens.map(({ url, scriptKb }) =>
      atMost(findScriptBudget(url), `first-load script of ${url}`, scriptKb, "KB gz"),
    ),
    ...scores.flatMap(({ url, device, performance, accessibility }) => [
      atLeast(MIN_PERFORMANCE[device], `Lighthouse performance of ${url}, ${device}`, performance),
      atLeast(100, `Lighthouse accessibility of ${url}, ${device}`, accessibility),
    ]),
  ];
}

async function measureVerify(clone: string): Promise<Figure> {
  console.log("npm run verify …");
  const startMs = performance.now();
  const { exitCode, output } = await runProgram(["npm", "run", "verify", "--prefix", clone]);
  const seconds = (performance.now() - startMs) / 1000;
  if (exitCode !== 0) console.log(output);
  return atMost(60, "npm run verify", exitCode === 0 ? seconds : Number.POSITIVE_INFINITY, "s");
}

type Memory = {
  /** Gateway and console, each with its workers, MB of proportional set size. */
  programsMb: number;
  /** All descendants of the started command, including launcher and npm. */
  allMb: number;
};

/** The memory of a running start, from the kernel's accounting; shared pages count once. Linux only. */
function measureMemory(pid: number): Memory {
  const processes = descendants(pid);
  const gateway = processes.find(({ command }) => command.includes("lib/gateway/main.ts"));
  const next = processes.find(({ command }) => /next-server|next start/.test(command));
  if (!gateway || !next) throw new Error("Gateway and console are not among the processes of this start.");
  const programs = [gateway, next].flatMap((program) => [program, ...descendants(program.pid)]);
  return { programsMb: sum(programs), allMb: sum([{ pid, command: "" }, ...processes]) };
}

type Process = { pid: number; command: string };

function descendants(pid: number): Process[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) => {
    const children = readFileSync(`/proc/${pid}/task/${task}/children`, "utf8");
    return children
      .split(" ")
      .filter(Boolean)
      .map(Number)
      .flatMap((child) => [{ pid: child, command: readCommand(child) }, ...descendants(child)]);
  });
}

function readCommand(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
}

function sum(processes: Process[]): number {
  const kilobytes = processes.map(({ pid }) => {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    return Number(/^Pss: +(\d+) kB/m.exec(rollup)?.[1] ?? 0);
  });
  return kilobytes.reduce((total, size) => total + size, 0) / 1024;
}

const TIMEOUT_MS = 10 * 60_000;

type MeasuredStart = {
  /** The time from the first command until both addresses answer. */
  seconds: number;
  consoleUrl: string;
  signInUrl: string;
  /** The process of `command`. */
  pid: number;
  stop: () => Promise<void>;
};

type StartOptions = { folder: string; dataFolder: string; port: number; gatewayPort: number };

/** Runs a shell command that ends in `npm start` and waits for its last lines, as a person would. */
async function measureStart(command: string, options: StartOptions): Promise<MeasuredStart> {
  const startMs = performance.now();
  const child = Bun.spawn(["sh", "-c", command], {
    cwd: options.folder,
    env: {
      ...process.env,
      PORT: String(options.port),
      GATEWAY_PORT: String(options.gatewayPort),
      GATEHOUSE_DATA: options.dataFolder,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const timeout = setTimeout(() => child.kill(), TIMEOUT_MS);
  const startOutput = await readUntil(child.stdout, "Ctrl-C");
  const seconds = (performance.now() - startMs) / 1000;
  clearTimeout(timeout);
  const consoleUrl = /Console +(\S+)/.exec(startOutput)?.[1];
  if (!consoleUrl) throw new Error(`"${command}" did not start:\n${startOutput}`);
  return {
    seconds,
    consoleUrl,
    signInUrl: /Sign in +(http\S+)/.exec(startOutput)?.[1] ?? `${consoleUrl}/sign-in`,
    pid: child.pid,
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

/** Resolves at the mark or the end, and keeps reading: a full or closed pipe would stop the program. */
function readUntil(output: ReadableStream<Uint8Array>, mark: string): Promise<string> {
  const match = Promise.withResolvers<string>();
  const decoder = new TextDecoder();
  const readAll = async () => {
    let written = "";
    for await (const chunk of output) {
      written += decoder.decode(chunk, { stream: true });
      if (written.includes(mark)) match.resolve(written);
    }
    match.resolve(written);
  };
  readAll().catch(match.reject);
  return match.promise;
}
