import { expect, test } from "bun:test";
import { fetchWithKey } from "../../support/clients/send";
import { createTaskClient } from "../../support/clients/task-client";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

const MAX_OF_KEY = 250;
let gateway: ServedGateway;

serveForAll((served) => {
  gateway = served;
});

test("one key has its share of streams, others have theirs, and a stream that closes frees its place", async () => {
  const client = createTaskClient(gateway);
  const task = await client.create({ model: "sandbox-image", prompt: "x", sandbox: { takes_ms: 3_600_000 } });
  const follow = (key = gateway.key) => fetchWithKey(`${gateway.baseUrl}/tasks/${task.id}/events`, { key });
  const open = await Promise.all(Array.from({ length: MAX_OF_KEY }, () => follow()));
  expect(open.filter(({ status }) => status !== 200)).toEqual([]);

  const refused = await follow();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  expect(await refused.json()).toMatchObject({ error: { code: "concurrency" } });
  const other = await follow(gateway.adminKey);
  expect(other.status).toBe(200);

  await open.pop()?.body?.cancel();
  let again = await follow();
  while (again.status === 429) again = await follow();
  expect(again.status).toBe(200);
  await Promise.all([...open, other, again].map(({ body }) => body?.cancel()));
});
