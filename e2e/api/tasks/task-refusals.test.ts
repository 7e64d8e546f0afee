import { expect, test } from "bun:test";
import { fetchWithKey } from "../../support/clients/send";
import { createTaskClient, type TaskClient } from "../../support/clients/task-client";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let client: TaskClient;

serveForAll((served) => {
  gateway = served;
  client = createTaskClient(gateway);
});

test("images count in their limit; a refused one takes nothing and holds nothing", async () => {
  await gateway.setLimits("sandbox-image", { max_images_per_1_minute: 3 });
  gateway.runtime.pass(61_000);
  const fields = { model: "sandbox-image", prompt: "x", size: "16x16", sandbox: { takes_ms: 0 } };
  await client.create({ ...fields, n: 2 });
  const refused = await client.ask("/chat/completions", { ...fields, n: 2 });
  const { error } = (await refused.json()) as { error: { code: string; limit: object; url: string } };
  expect([refused.status, error.code]).toEqual([429, "max_images_per_1_minute"]);
  expect(error.limit).toMatchObject({ used: 2, max: 3, requested: 2 });
  expect(refused.headers.get("x-ratelimit-limit-requests")).not.toBeNull();
  await client.create(fields);
  await gateway.setLimits("sandbox-image", { max_images_per_1_minute: null });
});

test.each([
  [{ model: "sandbox-image", messages: [] }, "messages"],
  [{ model: "sandbox-image", prompt: " " }, "prompt"],
  [{ model: "sandbox-image", prompt: "x", size: "9999x1" }, "size"],
  [{ model: "sandbox-image", prompt: "x", quality: "best" }, "quality"],
  [{ model: "sandbox-image", prompt: "x", n: 11 }, "n"],
  [{ model: "sandbox-video", prompt: "x", seconds: 61 }, "seconds"],
  [{ model: "sandbox-video", prompt: "x", duration: 5 }, "duration"],
  [{ model: "sandbox-video", prompt: "x", stream: true }, "stream"],
  [{ model: "sandbox-video", prompt: "x", callback_url: "http://127.0.0.1/" }, "callback_url"],
  [{ model: "sandbox-echo", prompt: "x" }, "messages"],
])("%j is refused by its field, and nothing is held", async (fields, param) => {
  const before = await client.balance();
  const reply = await client.ask("/chat/completions", fields);
  const { error } = (await reply.json()) as { error: { param: string } };
  expect([reply.status, error.param]).toEqual([400, param]);
  expect(await client.balance()).toEqual(before);
});

test("where the balance doesn't cover it, nothing is made", async () => {
  await using poor = await openPoor();
  const fields = { model: "sandbox-video", prompt: "x", seconds: 5 };
  const reply = await fetchWithKey(`${poor.baseUrl}/chat/completions`, { key: poor.key, body: fields });
  const { error } = (await reply.json()) as { error: { code: string; balance: object } };
  expect([reply.status, error.code]).toEqual([402, "insufficient_balance"]);
  expect(error.balance).toMatchObject({ required: "0.125" });
});

async function openPoor() {
  const poor = await serveGateway({ balance: "0.10" });
  return { ...poor, [Symbol.asyncDispose]: () => poor.close() };
}
