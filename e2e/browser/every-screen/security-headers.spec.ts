import { readdirSync } from "node:fs";
import { readNouns } from "@/lib/console/reads/reads";
import { expect, test } from "../../support/fixtures/test";
import { signIn } from "../../support/pages/sign-in";

const HEADERS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
  "cross-origin-opener-policy": "same-origin",
};
const readNonce = (policy = "") => /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";

test("every page and read has the security headers, and https adds its own", async ({ request }) => {
  for (const path of ["/sign-in", "/", "/rate-limits", "/no-such-page", "/api/projects"]) {
    const headers = (await request.get(path)).headers();
    expect(headers, path).toMatchObject(HEADERS);
    expect(headers, path).not.toHaveProperty("strict-transport-security");
    const policy = headers["content-security-policy"];
    for (const rule of [
      "default-src 'self'",
      "img-src 'self' data:",
      "media-src 'self' blob: data:",
      "worker-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]) {
      expect(policy, path).toContain(rule);
    }
    expect(policy, path).toMatch(/script-src 'self' 'nonce-[\w+/=]{24}' 'strict-dynamic';/);
  }
  const secure = await request.get("/sign-in", { headers: { "x-forwarded-proto": "https" } });
  expect(secure.headers()["strict-transport-security"]).toBe("max-age=31536000; includeSubDomains");
});

/** The console's paths whose last part is any text. */
const dynamicPaths = readdirSync("app/(console)", { recursive: true, encoding: "utf8" })
  .filter((path) => /\/\[\w+\]$/.test(path))
  .map((path) => `/${path.replace(/\[\w+\]$/, "")}`);

test("a path with a malformed encoding is answered like any unknown one, with all headers", async ({
  page,
  request,
  gatehouse,
}) => {
  expect(dynamicPaths.length).toBeGreaterThan(10);
  for (const path of [...dynamicPaths, "/api/", "/"])
    for (const segment of ["%ff", "%", "%zz", "%c3%28"]) {
      const reply = await request.get(path + segment);
      expect(reply.status(), path + segment).toBeLessThan(500);
      expect(reply.headers(), path + segment).toMatchObject(HEADERS);
    }
  await signIn(page, gatehouse);
  await page.goto("/roles/%ff");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByText("%ff").first()).toBeVisible();
});

test("each reply has a nonce of its own, which its every script carries and no caller chooses", async ({
  request,
}) => {
  const chosen = { "x-nonce": "chosen", "content-security-policy": "script-src 'nonce-chosen'" };
  const nonces = new Set<string>();
  for (const headers of [{}, {}, chosen]) {
    const reply = await request.get("/sign-in", { headers });
    const nonce = readNonce(reply.headers()["content-security-policy"]);
    const page = await reply.text();
    const scripts = page.match(/<script\b[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(3);
    for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
    expect(page).not.toContain("chosen");
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(3);
});

test("a script without the nonce does not run", async ({ page, gatehouse }) => {
  await signIn(page, gatehouse);
  await page.goto("/projects");
  const blocked = page.waitForEvent("console", (message) =>
    message.text().includes("Content Security Policy"),
  );
  await page.evaluate(() => {
    document.body.insertAdjacentHTML("beforeend", `<img src="data:," onerror="window.name = 'ran'">`);
  });
  await blocked;
  expect(await page.evaluate(() => window.name)).toBe("");
});

test("no read is answered to another site", async ({ page, gatehouse }) => {
  await signIn(page, gatehouse);
  const reads = [...Object.values(readNouns), "unknown"];
  for (const read of reads) {
    for (const site of ["cross-site", "same-site"]) {
      const reply = await page.request.get(`/api/${read}`, { headers: { "sec-fetch-site": site } });
      expect([reply.status(), (await reply.json()).problem.message], `${read} ${site}`).toEqual([
        403,
        "Only pages of this console may ask for this.",
      ]);
    }
  }
  const own = await page.request.get("/api/projects", { headers: { "sec-fetch-site": "same-origin" } });
  expect(own.status()).toBe(200);
  for (const word of ["unknown", "constructor", "listProjects"]) {
    const none = await page.request.get(`/api/${word}`, { headers: { "sec-fetch-site": "same-origin" } });
    expect([none.status(), (await none.json()).problem.code], word).toEqual([404, "not_found"]);
  }
  expect(own.headers()).toMatchObject({
    "cache-control": "no-store",
    vary: expect.stringContaining("sec-fetch-site"),
  });
});
