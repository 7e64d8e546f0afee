import { spawnSync } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "@playwright/test";
import { listScreens } from "@/lib/dev/measure/measure-screens";
import { CHROMIUM_FLAGS, provideChromium } from "@/lib/dev/provide-chromium";
import { signIn } from "../support/pages/sign-in";
import { DESK, LAPTOP, PHONE } from "../support/pages/viewports";
import { type Gatehouse, startGatehouse } from "../support/programs/start-gatehouse";
import { makeDataFolder } from "../support/programs/start-program";
import { listAdminStates } from "./admin-states";
import { makeSampleData, type SampleData } from "./make-sample-data";
import { listStates, type State } from "./states";
import { listTroubles } from "./trouble-states";

/**
 * Takes the README's pictures of the production build, with an organization of some size behind it. `npm run
 * screenshots -- --every FOLDER` takes every screen instead, and the states of the files beside this one,
 * light and dark, at a desk, on a laptop and on a phone; `--states FOLDER` takes the states alone.
 */
const { values } = parseArgs({ options: { every: { type: "string" }, states: { type: "string" } } });

const dataFolder = await makeDataFolder();
const seeded = spawnSync("bun", ["e2e/seed/run.ts", "--calls", "60000", "--data", dataFolder], {
  encoding: "utf8",
});
const adminKey = /Admin key: (\S+)/.exec(seeded.stdout)?.[1];
if (!adminKey) throw new Error(`The data for the pictures could not be made: ${seeded.stderr}`);

// The port people know: the pictures show the base address.
const started = await startGatehouse({ GATEWAY_PORT: "8080", GATEHOUSE_DATA: dataFolder });
const gatehouse: Gatehouse = { ...started, dataFolder, adminKey };
const { path: executablePath, env } = provideChromium();
const browser = await chromium.launch({
  executablePath,
  args: CHROMIUM_FLAGS,
  env: { ...process.env, ...env },
});
try {
  const sample = await makeSampleData(gatehouse);
  const session = await openSession(browser, gatehouse);
  const folder = values.every ?? values.states;
  if (folder) await takeEvery(browser, { gatehouse, sample, session, folder });
  else await takeReadme(browser, gatehouse, sample, session);
} finally {
  await browser.close();
  await started.stop();
  await rm(dataFolder, { recursive: true, force: true });
}

type Session = NonNullable<BrowserContextOptions["storageState"]>;
async function openSession(opened: Browser, signedInTo: Gatehouse): Promise<Session> {
  const context = await opened.newContext();
  await signIn(await context.newPage(), signedInTo);
  const session = await context.storageState();
  await context.close();
  return session;
}

async function takeReadme(
  opened: Browser,
  { consoleUrl }: Gatehouse,
  { refused }: SampleData,
  session: Session,
) {
  const pictures = { overview: "/", requests: "/requests", receipt: `/requests/${refused}`, usage: "/usage" };
  const page = await openPage(opened, { viewport: DESK, storageState: session });
  for (const [name, address] of Object.entries(pictures)) {
    await take(page, consoleUrl + address, `public/screenshots/${name}.png`);
  }
}

type EveryOptions = { gatehouse: Gatehouse; sample: SampleData; session: Session; folder: string };

async function takeEvery(opened: Browser, { gatehouse: place, sample, session, folder }: EveryOptions) {
  const { consoleUrl } = place;
  await mkdir(folder, { recursive: true });
  const addresses = values.every ? await listAddresses(opened, consoleUrl, sample, session) : [];
  const listed = [...listStates(sample), ...listTroubles(sample, place), ...listAdminStates(sample, place)];
  const states = listed.map((state) => ({
    ...state,
    address: consoleUrl + state.address,
  }));
  for (const colorScheme of ["light", "dark"] as const) {
    for (const viewport of [DESK, LAPTOP, PHONE]) {
      const page = await openPage(opened, { viewport, colorScheme, storageState: session });
      for (const address of addresses) {
        const name = address.slice(1).replaceAll(/[^a-z-]+/g, "_") || "overview";
        const file = `${name}-${colorScheme}-${viewport.width}.png`;
        await take(page, consoleUrl + address, join(folder, file));
      }
      await page.context().close();
      await takeStates(opened, states, { viewport, colorScheme, storageState: session }, folder);
    }
  }
}

async function listAddresses(
  opened: Browser,
  consoleUrl: string,
  { project, refused }: SampleData,
  session: Session,
): Promise<string[]> {
  const screens = await listScreens();
  const tabs = ["", "?tab=models", "/keys", "/spend", "/roles"].map((part) => `/projects/${project}${part}`);
  const details = await findDetails(opened, consoleUrl, screens, session);
  return [...screens, `/requests/${refused}`, ...tabs, ...details];
}

type Look = Required<Pick<BrowserContextOptions, "viewport" | "colorScheme" | "storageState">>;

/** Logs a state that can't be reached, and takes the others. */
async function takeStates(opened: Browser, states: readonly State[], look: Look, folder: string) {
  for (const { name, address, reach } of states) {
    const page = await openPage(opened, look);
    page.setDefaultTimeout(5_000);
    await show(page, address);
    await reach(page).catch((error: Error) => console.warn(`${name}: ${error.message}`));
    await page.screenshot({
      path: join(folder, `state-${name}-${look.colorScheme}-${look.viewport?.width}.png`),
    });
    await page.context().close();
  }
}

/** The first page below each list: a member, a model, a task. */
async function findDetails(
  opened: Browser,
  consoleUrl: string,
  screens: readonly string[],
  session: Session,
): Promise<string[]> {
  const page = await openPage(opened, { viewport: DESK, storageState: session });
  const found = new Set<string>();
  for (const screen of screens.filter((path) => path !== "/")) {
    await show(page, consoleUrl + screen);
    const link = page.locator(`main a[href^="${screen}/"]`);
    const hrefs = await link.evaluateAll((links) => links.map((each) => each.getAttribute("href") ?? ""));
    const detail = hrefs.find((href) => !screens.includes(href.split("?")[0] ?? ""));
    if (detail) found.add(detail);
  }
  await page.context().close();
  return [...found];
}

async function openPage(opened: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await opened.newContext({ reducedMotion: "reduce", ...options });
  return context.newPage();
}

async function take(page: Page, address: string, path: string): Promise<void> {
  await show(page, address);
  await page.screenshot({ path });
}

async function show(page: Page, address: string): Promise<void> {
  // Lists that follow what happens keep a connection open, so the network never falls silent on them.
  await page.goto(address);
  await page.locator("h1").first().waitFor();
  await page.waitForFunction(() => !document.querySelector("main [class*=shimmer]"));
  await page.evaluate(() => document.fonts.ready);
}
