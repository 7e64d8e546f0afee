import { expect, test } from "bun:test";
import { chatLine, createBatchClient } from "../../support/clients/batch-client";
import { send } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let keys: string;

serveForAll((served) => {
  gateway = served;
  keys = `/organization/projects/${gateway.projectId}/api_keys`;
});

type Key = { id: string; value: string };
const create = (draft: object) => gateway.admin<Key>("POST", keys, { name: "Limited", ...draft });
const post = (path: string, key: string, body: object) =>
  send(`${gateway.baseUrl}${path}`, { method: "POST", key, body });

test("a key limited to files sees and deletes those that it uploaded, before and after its rotation, and no other", async () => {
  const others = await createBatchClient(gateway).upload([chatLine("a", "secret of others")]);
  const limited = await create({ endpoints: ["files", "batches", "chat_completions"] });
  const reach = async (path: string, key: string, method = "GET") =>
    (await send(`${gateway.baseUrl}${path}`, { key, method })).status;
  for (const path of [`/files/${others}`, `/files/${others}/content`])
    expect([path, await reach(path, limited.value)]).toEqual([path, 404]);
  expect(await reach(`/files/${others}`, limited.value, "DELETE")).toBe(404);
  expect((await send(`${gateway.baseUrl}/files`, { key: limited.value })).body.data).toEqual([]);
  const draft = { endpoint: "/v1/chat/completions", completion_window: "24h" };
  expect(await post("/batches", limited.value, { ...draft, input_file_id: others })).toMatchObject({
    status: 404,
  });

  const own = createBatchClient({ baseUrl: gateway.baseUrl, key: limited.value });
  const batch = await own.create([chatLine("b", "mine")]);
  const ended = await own.follow(batch.id);
  const rotated = await gateway.admin<Key>("POST", `${keys}/${limited.id}/rotate`, { overlap_seconds: 0 });
  const after = createBatchClient({ baseUrl: gateway.baseUrl, key: rotated.value });
  expect((await after.openai.files.list()).data.map(({ id }) => id).toSorted()).toEqual(
    [batch.input_file_id, ended.output_file_id ?? ""].toSorted(),
  );
  expect(await after.results(ended.output_file_id)).toHaveLength(1);
  expect(await reach(`/files/${batch.input_file_id}`, rotated.value, "DELETE")).toBe(200);
  expect(await reach(`/files/${others}`, gateway.key)).toBe(200);
});

test("a key limited to models reaches no files or batches, and one limited to batches only its own", async () => {
  const client = createBatchClient(gateway);
  const batch = await client.create([chatLine("a", "secret of others")]);
  const reach = async (key: string, path: string, method = "GET") =>
    (await send(`${gateway.baseUrl}${path}`, { key, method })).status;
  const ofModels = (await create({ models: ["sandbox-echo"] })).value;
  const files = [`/files`, `/files/${batch.input_file_id}/content`, `/batches`, `/batches/${batch.id}`];
  for (const path of files) expect([path, await reach(ofModels, path)]).toEqual([path, 403]);
  const ofBatches = (await create({ endpoints: ["batches"] })).value;
  expect(await reach(ofBatches, `/batches/${batch.id}`)).toBe(404);
  expect(await reach(ofBatches, `/batches/${batch.id}/cancel`, "POST")).toBe(404);
  expect((await send(`${gateway.baseUrl}/batches`, { key: ofBatches })).body.data).toEqual([]);
  expect(await reach(gateway.key, `/batches/${batch.id}`)).toBe(200);
});
