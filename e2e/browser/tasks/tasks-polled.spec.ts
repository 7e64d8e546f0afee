import { adminApi } from "../../support/clients/admin-api";
import { fetchWithKey } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { selectProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";

test.use({ scene: "tasks" });

test("tasks are read again while one is under way and the page is looked at, and not otherwise", async ({
  page,
  context,
  gatehouse,
}) => {
  const { createProject, createKey } = adminApi(gatehouse);
  const { id } = await createProject("Watched");
  const { value } = await createKey(id, "studio");
  const ask = async (path: string, body: object) => {
    const reply = await fetchWithKey(`${gatehouse.baseUrl}${path}`, { key: value, body });
    return (await reply.json()) as { id: string };
  };
  const task = await ask("/chat/completions", {
    model: "sandbox-video",
    prompt: "waves",
    sandbox: { outcome: "never ends" },
  });
  await selectProject(context, gatehouse, id);
  await signIn(page, gatehouse);
  await page.clock.install();
  await page.goto("/tasks");
  const list = page.getByRole("table", { name: "Tasks, newest first" });
  await expect(list).toContainText("Running 50 %", { timeout: 15_000 });

  let reads = 0;
  page.on("request", (request) => {
    // The sidebar's number of running tasks is a read of its own.
    if (/\/api\/tasks(?!.*status=running)/.test(request.url())) reads++;
  });
  /** Counts the reads of the list within a minute of the page's clock. */
  const readsInAMinute = async () => {
    // Requests from before the page was hidden have ended.
    await page.waitForLoadState("networkidle");
    reads = 0;
    await page.clock.fastForward(60_000);
    // All requests that the minute started were sent before this one.
    await page.evaluate(() => fetch("/api/me"));
    return reads;
  };
  const turn = (state: "hidden" | "visible") =>
    page.evaluate((visibilityState) => {
      Object.defineProperty(document, "visibilityState", { value: visibilityState, configurable: true });
      window.dispatchEvent(new Event("visibilitychange"));
    }, state);

  await turn("hidden");
  expect(await readsInAMinute()).toBe(0);
  await turn("visible");
  await expect.poll(() => reads).toBeGreaterThan(1);
  await ask(`/tasks/${task.id}/cancel`, {});
  await expect(list).toContainText("Canceled", { timeout: 15_000 });
  expect(await readsInAMinute()).toBe(0);
});
