import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { Task } from "@/lib/contract/operations/tasks/task";
import { adminApi } from "../../support/clients/admin-api";
import { fetchWithKey } from "../../support/clients/send";
import { test as base, expect } from "../../support/fixtures/test";
import { signIn } from "../../support/pages/sign-in";
import { writeConfiguration } from "../../support/programs/write-configuration";
import { type S3Server, startS3Server } from "../../support/servers/s3-server";

/** A gateway whose outputs are in the bucket of `store`. */
const test = base.extend<object, { store: S3Server; configuration: string }>({
  store: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from this pattern.
    async ({}, use) => {
      const store = await startS3Server();
      await use(store);
      await store.stop();
    },
    { scope: "worker" },
  ],
  configuration: [
    ({ store }, use) => use(writeConfiguration(JSON.stringify({ outputs: store.outputs() }))),
    { scope: "worker" },
  ],
  environment: ({ configuration }, use) => use({ GATEHOUSE_CONFIG: configuration }),
});
test.use({ scene: "bucket" });

/** A file is uploaded within seconds; the rest is for busy machines. */
const UPLOADED = { timeout: 60_000 };

/** What the page got of a task's file from the console: the status and the range of each reply. */
function listReplies(page: Page): { status: number; range: string | undefined }[] {
  const replies: { status: number; range: string | undefined }[] = [];
  page.on("response", (reply) => {
    if (!reply.url().includes("/api/task-outputs")) return;
    replies.push({ status: reply.status(), range: reply.headers()["content-range"] });
  });
  return replies;
}

for (const [what, tag, order] of [
  ["A video", "video", { model: "sandbox-video", prompt: "waves", size: "320x200", seconds: "4" }],
  ["A sound", "audio", { model: "sandbox-music", prompt: "a tune", seconds: 30 }],
] as const) {
  test(`${what} is played to its end and from its middle out of a bucket, in ranges`, async ({
    page,
    gatehouse,
    store,
  }) => {
    const task = await makeTask(gatehouse, order);
    const key = `gate/${task.id}/0`;
    await expect.poll(() => store.objects.has(key), UPLOADED).toBe(true);
    // The gateway keeps its own copy for a minute.
    await rm(join(gatehouse.dataFolder, "outputs", task.id), { recursive: true });
    const asked: string[] = [];
    store.failWith(({ method, url, headers }) => {
      if (method === "GET" && url?.includes(task.id)) asked.push(headers.range ?? "whole");
      return null;
    });
    await signIn(page, gatehouse);
    const replies = listReplies(page);
    await page.goto(`/tasks/${task.id}`);
    const player = page.locator(tag);
    const read = (field: "duration" | "currentTime" | "readyState") =>
      player.evaluate((media: HTMLMediaElement, name) => media[name], field);
    await expect.poll(() => read("duration")).toBeGreaterThan(3);
    const duration = await read("duration");

    const middle = duration / 2;
    await player.evaluate((media: HTMLMediaElement, at) => {
      media.muted = true;
      media.currentTime = at;
    }, middle);
    await expect.poll(() => read("readyState")).toBeGreaterThanOrEqual(2);
    await player.evaluate((media: HTMLMediaElement) => media.play());
    await expect.poll(() => read("currentTime")).toBeGreaterThan(middle);

    await player.evaluate((media: HTMLMediaElement, at) => void (media.currentTime = at), duration - 0.5);
    await expect.poll(() => player.evaluate((media: HTMLMediaElement) => media.ended)).toBe(true);
    expect(await player.evaluate((media: HTMLMediaElement) => media.error)).toBeNull();

    const total = store.objects.get(key)?.bytes.length;
    expect(replies.length).toBeGreaterThan(0);
    for (const { status, range } of replies) {
      expect(status).toBe(206);
      expect(range).toMatch(new RegExp(`^bytes \\d+-\\d+/${total}$`));
    }
    expect(asked.length).toBeGreaterThan(0);
    for (const range of asked) expect(range).toMatch(/^bytes=\d+-\d+$/);
  });
}

/** @returns the task once it has ended. */
async function makeTask(gatehouse: Parameters<typeof adminApi>[0], order: object): Promise<Task> {
  const api = adminApi(gatehouse);
  const { id } = await api.createProject(`Bucket ${JSON.stringify(order).length}`);
  const { value } = await api.createKey(id, "studio");
  const ask = async (path: string, body?: object) => {
    const reply = await fetchWithKey(`${gatehouse.baseUrl}${path}`, {
      method: body ? "POST" : "GET",
      key: value,
      body,
    });
    expect(reply.status).toBe(200);
    return (await reply.json()) as Task;
  };
  const { id: taskId } = await ask("/chat/completions", { ...order, sandbox: { takes_ms: 0 } });
  await expect.poll(async () => (await ask(`/tasks/${taskId}`)).status).toBe("succeeded");
  return ask(`/tasks/${taskId}`);
}
