import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "@playwright/test";
import { findFreePorts } from "@/lib/dev/find-free-ports";
import { listFiles } from "@/lib/dev/list-files";
import { weighScripts } from "@/lib/dev/measure/weigh-scripts";
import { CHROMIUM_FLAGS, provideChromium } from "@/lib/dev/provide-chromium";
import { runProgram } from "@/lib/dev/run-program";

type Screen = { url: string; scriptKb: number };
export type Device = "desktop" | "phone";
type Scores = { url: string; device: Device; performance: number; accessibility: number };

/** Lighthouse's presets. Its default is a slow phone on a slow network. */
const presets: Record<Device, readonly string[]> = { desktop: ["--preset=desktop"], phone: [] };
const devices: readonly Device[] = ["desktop", "phone"];

type Session = { context: BrowserContext; consoleUrl: string; debugPort: number; folder: string };

/** Measures the size of every screen and runs Lighthouse on some: sign-in without a session, the others with one. */
export async function measureScreens(
  consoleUrl: string,
  signInUrl: string,
  urls: string[],
  judgedUrls: string[],
): Promise<{ screens: Screen[]; scores: Scores[] }> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-browser-"));
  const [debugPort = 0] = await findFreePorts(1);
  const { path, env } = provideChromium();
  const context = await chromium.launchPersistentContext(join(folder, "profile"), {
    executablePath: path,
    args: [...CHROMIUM_FLAGS, `--remote-debugging-port=${debugPort}`],
    env: { ...process.env, ...env },
  });
  const session = { context, consoleUrl, debugPort, folder };
  const screens: Screen[] = [];
  const scores: Scores[] = [];
  try {
    for (const isOpen of [true, false]) {
      if (!isOpen) await signIn(context, signInUrl);
      const now = (url: string) => (url === "/sign-in") === isOpen;
      for (const url of urls.filter(now)) {
        const get = (href: string) => context.request.get(href);
        const scriptKb = await weighScripts(get, new URL(url, consoleUrl));
        // An old address leads on.
        if (scriptKb !== null) screens.push({ url, scriptKb });
      }
      for (const url of judgedUrls.filter(now)) {
        for (const device of devices) scores.push(await judge(session, url, device));
      }
    }
    return { screens, scores };
  } finally {
    await context.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function signIn(context: BrowserContext, signInUrl: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(signInUrl);
  await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
  await page.close();
}

/** Runs Lighthouse in the same browser, which keeps its cookies; three runs, with the median of each score. */
async function judge(
  { consoleUrl, debugPort, folder }: Session,
  url: string,
  device: Device,
): Promise<Scores> {
  const reportFile = join(folder, "report.json");
  const runs: { performance: number; accessibility: number }[] = [];
  for (let run = 0; run < 3; run += 1) {
    await runProgram([
      "lighthouse",
      consoleUrl + url,
      `--port=${debugPort}`,
      ...presets[device],
      "--disable-storage-reset",
      "--only-categories=performance,accessibility",
      "--output=json",
      `--output-path=${reportFile}`,
      "--quiet",
    ]);
    const report = JSON.parse(await readFile(reportFile, "utf8")) as {
      finalDisplayedUrl: string;
      categories: Record<"performance" | "accessibility", { score: number }>;
    };
    if (new URL(report.finalDisplayedUrl).pathname !== url)
      throw new Error(`Lighthouse was led away from ${url}.`);
    const { performance, accessibility } = report.categories;
    runs.push({ performance: performance.score * 100, accessibility: accessibility.score * 100 });
  }
  const median = (scores: number[]) => scores.toSorted((a, b) => a - b)[1] ?? 0;
  return {
    url,
    device,
    performance: Math.round(median(runs.map((run) => run.performance))),
    accessibility: Math.round(median(runs.map((run) => run.accessibility))),
  };
}

/** The paths of all pages without parameters, starting with sign-in and the landing page. */
export async function listScreens(): Promise<string[]> {
  const pages = (await listFiles()).filter((path) => /^app\/(.+\/)?page\.tsx$/.test(path));
  const urls = pages
    .map((path) => path.slice("app".length, -"/page.tsx".length))
    .map((path) => path.replace(/\/\([a-z-]+\)/g, "") || "/")
    .filter((url) => !url.includes("["));
  const first = ["/sign-in", "/"];
  return [
    ...first.filter((url) => urls.includes(url)),
    ...urls.filter((url) => !first.includes(url)).toSorted(),
  ];
}
