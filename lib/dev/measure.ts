import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePorts } from "@/lib/dev/find-free-ports";
import { atLeast, atMost, type Figure, formatFigures, meetsTarget } from "@/lib/dev/measure/figure";
import { listScreens } from "@/lib/dev/measure/list-screens";
import { measureMemory } from "@/lib/dev/measure/measure-memory";
import { type Device, measureScreens } from "@/lib/dev/measure/measure-screens";
import { measureStart, type StartOptions } from "@/lib/dev/measure/measure-start";
import { findScriptBudget } from "@/lib/dev/measure/script-budget";
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
