import { spawnSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "@playwright/test";
import { CHROMIUM_FLAGS, findChromium } from "@/lib/dev/find-chromium";
import { adminApi } from "../support/admin-api";
import { type Gatehouse, startGatehouse } from "../support/start-gatehouse";
import { makeDataFolder } from "../support/start-program";

/**
 * Takes the README's pictures of the production build, with an organization of some size behind it. `npm run screenshots -- --every
 * FOLDER` takes every screen instead, light and dark, at a desk and on a phone.
 */
const { values } = parseArgs({ options: { every: { type: "string" } } });

const ADMIN_KEY = `sk-admin-${"screenshots".repeat(4)}`;
const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

const dataFolder = await makeDataFolder();
const seeded = spawnSync("bun", ["e2e/seed/run.ts", "--calls", "60000", "--data", dataFolder], {
  stdio: "inherit",
  env: { ...process.env, GATEHOUSE_ADMIN_KEY: ADMIN_KEY },
});
if (seeded.status !== 0) throw new Error("The data for the pictures could not be made");

// The port people know: the pictures show the base address.
const gatehouse = await startGatehouse({ GATEWAY_PORT: "8080", GATEHOUSE_DATA: dataFolder });
const { path: executablePath, env } = findChromium();
const browser = await chromium.launch({
  executablePath,
  args: CHROMIUM_FLAGS,
  env: { ...process.env, ...env },
});
try {
  const places = await makePlaces(gatehouse);
  const session = await signIn(browser, gatehouse);
  if (values.every) await takeEvery(browser, gatehouse, places, session, values.every);
  else await takeReadme(browser, gatehouse, places, session);
} finally {
  await browser.close();
  await gatehouse.stop();
}

type Session = NonNullable<BrowserContextOptions["storageState"]>;
type Places = { project: string; refused: string };

/** Makes a payment and a few calls of this minute, the last of which its limit refuses. */
async function makePlaces({ baseUrl }: Gatehouse): Promise<Places> {
  const api = adminApi({ baseUrl, adminKey: ADMIN_KEY });
  const { data } = await api.call<{ data: { id: string }[] }>("GET", "/projects");
  const project = data[0]?.id ?? "";
  await api.call("POST", "/payments", { amount: "2500.00", reference: "Invoice 2026-11" });
  const key = await api.call<{ value: string }>("POST", `/projects/${project}/api_keys`, {
    name: "nightly reports",
  });
  await api.saveRateLimit(project, "sandbox-chat", { max_requests_per_1_minute: 3 });
  let refused = "";
  for (const content of ["Summarise the incident", "What changed?", "Draft the notes", "And once more"]) {
    const reply = await fetch(`${baseUrl}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key.value}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content }] }),
    });
    await reply.text();
    if (reply.status === 429) refused = reply.headers.get("x-request-id") ?? "";
  }
  return { project, refused };
}

async function signIn(opened: Browser, { signInUrl }: Gatehouse): Promise<Session> {
  const page = await opened.newPage();
  await page.goto(signInUrl);
  await page.waitForURL((url) => url.pathname !== "/sign-in");
  const session = await page.context().storageState();
  await page.close();
  return session;
}

async function takeReadme(opened: Browser, { consoleUrl }: Gatehouse, { refused }: Places, session: Session) {
  const pictures = { overview: "/", requests: "/requests", receipt: `/requests/${refused}`, usage: "/usage" };
  const page = await openPage(opened, { viewport: DESK, storageState: session });
  for (const [name, address] of Object.entries(pictures)) {
    await take(page, consoleUrl + address, `public/screenshots/${name}.png`);
  }
}

async function takeEvery(
  opened: Browser,
  { consoleUrl }: Gatehouse,
  { project, refused }: Places,
  session: Session,
  folder: string,
) {
  await mkdir(folder, { recursive: true });
  const lists =
    "requests usage balance calculator playground rate-limits models health projects keys members groups";
  const more = "roles spend-limits admin-keys audit-logs account";
  const addresses = [
    "",
    ...`${lists} ${more}`.split(" "),
    `requests/${refused}`,
    ...["", "keys", "models", "spend", "roles"].map((tab) => `projects/${project}?tab=${tab}`),
  ];
  for (const colorScheme of ["light", "dark"] as const) {
    for (const viewport of [DESK, PHONE]) {
      const page = await openPage(opened, { viewport, colorScheme, storageState: session });
      for (const address of addresses) {
        const name = address.replaceAll(/[^a-z-]+/g, "_") || "overview";
        const file = `${name}-${colorScheme}-${viewport.width}.png`;
        await take(page, `${consoleUrl}/${address}`, join(folder, file));
      }
      await page.context().close();
    }
  }
}

async function openPage(opened: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await opened.newContext({ reducedMotion: "reduce", ...options });
  return context.newPage();
}

async function take(page: Page, address: string, path: string): Promise<void> {
  // Lists that follow what happens keep a connection open, so the network never falls silent on them.
  await page.goto(address);
  await page.locator("h1").first().waitFor();
  await page.waitForFunction(() => !document.querySelector("main [class*=shimmer]"));
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path });
}
