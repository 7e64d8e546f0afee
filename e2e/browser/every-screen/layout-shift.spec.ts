import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { joinMember } from "../../support/clients/join-member";
import { callModel } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { signIn } from "../../support/pages/sign-in";

// The server doesn't know the viewer's time zone, and writes its own times first.
test.use({ scene: "layout-shift", timezoneId: "Pacific/Auckland" });

test.beforeEach(async ({ page, gatehouse }) => {
  const api = adminApi(gatehouse);
  const { data } = await api.call<{ data: { email: string }[] }>("GET", "/users");
  if (data.length === 0) {
    for (const name of ["Ada Lovelace", "Grace Hopper", "Alan Turing"]) {
      await joinMember(gatehouse, `${name.replace(" ", ".")}@example.com`, { name });
      const invited = `invited.${name.replace(" ", ".")}@example.com`;
      await api.call("POST", "/invites", { email: invited, role: "reader", projects: [] });
      const { id } = await api.createProject(`Project of ${name}`);
      const key = await api.createKey(id, name);
      await callModel(gatehouse, key.value, "sandbox-echo", { content: name });
    }
  }
  await page.context().addCookies([{ name: "gatehouse_project", value: "all", url: gatehouse.consoleUrl }]);
  await signIn(page, gatehouse);
});

const onSlowComputer = { timeout: 30_000 };

type Shift = { readonly value: number; readonly moved: readonly string[] };

/** Records from now on what moves without the person having done anything. */
async function recordShifts(page: Page): Promise<() => Promise<Shift[]>> {
  await page.addInitScript(() => {
    type LayoutShift = PerformanceEntry & {
      readonly value: number;
      readonly hadRecentInput: boolean;
      readonly sources: readonly {
        readonly node: Node | null;
        currentRect: DOMRect;
        previousRect: DOMRect;
      }[];
    };
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as LayoutShift[]) {
        const moved = sources.map(
          ({ node, currentRect, previousRect }) =>
            `${node?.parentElement?.outerHTML.slice(0, 200)}: ${JSON.stringify([previousRect, currentRect])}`,
        );
        if (!hadRecentInput) shifts.push({ value, moved });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
}

// The members have the invitations below them.
for (const path of ["/members", "/projects", "/audit-logs", "/requests"]) {
  test(`${path}: nothing moves while it loads on a slow computer`, async ({ page }) => {
    test.slow();
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    const shifts = await recordShifts(page);
    await page.goto(path);
    const table = page.locator("#main").getByRole("table").first();
    await expect(table).toBeVisible(onSlowComputer);
    await expect
      .poll(
        () => table.evaluate((one) => Object.keys(one).some((key) => key.startsWith("__react"))),
        onSlowComputer,
      )
      .toBe(true);
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    const all = await shifts();
    expect(
      all.reduce((sum, { value }) => sum + value, 0),
      JSON.stringify(all, null, 2),
    ).toBeLessThan(0.02);
  });
}
