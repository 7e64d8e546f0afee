import { chromium } from "@playwright/test";
import { CHROMIUM_FLAGS, findChromium } from "@/lib/dev/find-chromium";
import { adminApi } from "../support/admin-api";
import { type Gatehouse, startGatehouse } from "../support/start-gatehouse";

// The pictures of the README, taken of the production build with a few calls behind it. `npm run build` goes before.
const FOLDER = "public/screenshots";

// The port people know: the pictures show the base address.
const gatehouse = await startGatehouse({ GATEWAY_PORT: "8080" });
try {
  await makeCalls(gatehouse);
  await takeScreenshots(gatehouse);
} finally {
  await gatehouse.stop();
}

async function makeCalls({ baseUrl, adminKey }: Gatehouse): Promise<void> {
  const api = adminApi({ baseUrl, adminKey });
  const { data: projects } = await api.call<{ data: { id: string }[] }>("GET", "/projects");
  const project = projects[0]?.id ?? "";
  await api.call("POST", "/payments", { amount: "250.00", reference: "Invoice 2026-11" });
  const key = await api.call<{ value: string }>("POST", `/projects/${project}/api_keys`, {
    name: "nightly reports",
  });
  await api.saveRateLimit(project, "sandbox-chat", { max_requests_per_1_minute: 120 });
  for (const content of [
    "Summarise the incident",
    "What changed since last week?",
    "Draft the release notes",
  ]) {
    await fetch(`${baseUrl}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key.value}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content }] }),
    });
  }
}

async function takeScreenshots({ consoleUrl, signInUrl }: Gatehouse): Promise<void> {
  const { path: executablePath, env } = findChromium();
  const browser = await chromium.launch({
    executablePath,
    args: CHROMIUM_FLAGS,
    env: { ...process.env, ...env },
  });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  await page.goto(signInUrl);
  await page.waitForURL((url) => url.pathname !== "/sign-in");
  await page.goto(consoleUrl, { waitUntil: "networkidle" });
  await page.screenshot({ path: `${FOLDER}/overview.png` });
  await browser.close();
}
