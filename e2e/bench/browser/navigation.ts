import { spawnSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page } from "@playwright/test";
import { atMost, formatFigures, meetsTarget } from "@/lib/dev/measure/figure";
import { CHROMIUM_FLAGS, provideChromium } from "@/lib/dev/provide-chromium";
import { signIn } from "../../support/pages/sign-in";
import { DESK } from "../../support/pages/viewports";
import { type Gatehouse, startGatehouse } from "../../support/programs/start-gatehouse";
import { makeDataFolder } from "../../support/programs/start-program";

/**
 * Opens every screen of the production build from its link, with 5,000,000 calls, and measures the time until its data
 * is painted: the median of five new browsers. Exits with 1 if a screen takes longer than 200 ms. Seeds a data folder;
 * `npm run measure:navigation -- --data FOLDER --key ADMIN_KEY` takes one that was seeded before.
 */
const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "5000000" },
    data: { type: "string" },
    key: { type: "string" },
    rounds: { type: "string", default: "5" },
  },
});
const MAX_MS = 200;

/** A screen, by the link that leads to it. `from` is the list that has the link; others are in the sidebar. */
interface Leg {
  readonly name: string;
  readonly link: string;
  readonly from?: string;
}

const details: readonly Leg[] = [
  { name: "a project", from: "/projects", link: 'main a[href^="/projects/"]' },
  { name: "a model", from: "/models", link: 'main a[href^="/models/"]' },
  { name: "a member", from: "/members", link: 'main a[href^="/members/user_"]' },
  { name: "a statement", from: "/statements", link: 'main a[href^="/statements/2"]' },
];

const seeded = values.data === undefined ? await seed(values.calls) : null;
const dataFolder = seeded?.dataFolder ?? values.data ?? "";
const adminKey = seeded?.adminKey ?? values.key ?? "";
const started = await startGatehouse({ GATEHOUSE_DATA: dataFolder });
const { path: executablePath, env } = provideChromium();
const browser = await chromium.launch({
  executablePath,
  args: CHROMIUM_FLAGS,
  env: { ...process.env, ...env },
});
try {
  const took = new Map<string, number[]>();
  // The first round, which is not measured, compiles the screens' code.
  for (let round = 0; round <= Number(values.rounds); round++) {
    await goThrough(browser, { ...started, dataFolder, adminKey }, (name, ms) => {
      if (round > 0) took.set(name, [...(took.get(name) ?? []), ms]);
    });
  }
  const figures = [...took].map(([name, all]) =>
    atMost(MAX_MS, `${name} (${listed(all)})`, median(all), "ms"),
  );
  for (const line of formatFigures(figures)) console.log(line);
  console.log(
    `\nload average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(" ")}`,
  );
  process.exitCode = figures.every(meetsTarget) ? 0 : 1;
} finally {
  await browser.close();
  await started.stop();
  if (seeded) await rm(seeded.dataFolder, { recursive: true, force: true });
}

async function seed(calls: string): Promise<{ dataFolder: string; adminKey: string }> {
  const folder = await makeDataFolder();
  const { stdout, stderr } = spawnSync("bun", ["e2e/seed/run.ts", "--calls", calls, "--data", folder], {
    encoding: "utf8",
  });
  const key = /Admin key: (\S+)/.exec(stdout)?.[1];
  if (!key) throw new Error(`The data could not be made: ${stderr}`);
  return { dataFolder: folder, adminKey: key };
}

async function goThrough(
  opened: Browser,
  gatehouse: Gatehouse,
  note: (name: string, ms: number) => void,
): Promise<void> {
  const context = await opened.newContext({ viewport: DESK, reducedMotion: "reduce" });
  const page = await context.newPage();
  await signIn(page, gatehouse);
  await page.goto(`${gatehouse.consoleUrl}/account`);
  await settle(page);
  const hrefs = await page
    .locator('nav a[href^="/"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  const sidebar = [...new Set(hrefs)].filter((href) => href !== "/account");
  const legs: Leg[] = sidebar.map((href) => ({ name: href, link: `nav a[href="${href}"]` }));
  for (const leg of [...legs, ...details]) {
    if (leg.from) await click(page, `nav a[href="${leg.from}"]`);
    if ((await page.locator(leg.link).count()) > 0) note(leg.name, await click(page, leg.link));
  }
  await context.close();
}

/** Returns the time in milliseconds from the click until the screen that it opens has painted its data. */
async function click(page: Page, link: string): Promise<number> {
  await page.evaluate(armClock);
  await page.locator(link).first().click();
  const took = await page.evaluate(() => (globalThis as unknown as { took: Promise<number> }).took);
  await settle(page);
  return took;
}

/** Waits for what follows a paint, such as prefetches for links that became visible. */
async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector("main [class*=shimmer]"));
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 })));
}

/**
 * Runs in the page: measures from the next click until the address has changed and no skeleton is left, and a frame
 * more.
 */
function armClock(): void {
  const before = location.pathname;
  const holder = globalThis as unknown as { took: Promise<number> };
  holder.took = new Promise((resolve) => {
    addEventListener(
      "click",
      ({ timeStamp }) => {
        const look = () => {
          const isThere =
            location.pathname !== before &&
            document.querySelector("main h1") !== null &&
            document.querySelector("main [class*=shimmer]") === null;
          if (!isThere) requestAnimationFrame(look);
          else requestAnimationFrame(() => resolve(performance.now() - timeStamp));
        };
        requestAnimationFrame(look);
      },
      { capture: true, once: true },
    );
  });
}

function median(all: readonly number[]): number {
  return all.toSorted((one, other) => one - other)[Math.floor(all.length / 2)] ?? Number.NaN;
}

function listed(all: readonly number[]): string {
  return all.map((ms) => Math.round(ms)).join(" ");
}
