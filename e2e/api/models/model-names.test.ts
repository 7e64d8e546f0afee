import { expect, test } from "bun:test";
import { send } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
serveForAll((served) => {
  gateway = served;
});

const draft = (id: string) => ({
  id,
  family: "chat",
  rate: "1",
  price: { input_per_1m: "1", output_per_1m: "1" },
  routes: [{ provider: "sandbox", model: "sandbox-echo" }],
});
const create = (id: string) =>
  send(`${gateway.baseUrl}/organization/models`, { key: gateway.adminKey, body: draft(id) });

test("a model with slashes is found wherever a path names it, encoded or not", async () => {
  await create("meta/llama/3:8b");
  const { projectId, key, adminKey } = gateway;
  for (const id of ["meta/llama/3:8b", "meta%2Fllama%2F3%3A8b", "meta/llama%2F3:8b"]) {
    const paths = [
      `/organization/models/${id}`,
      `/organization/models/${id}/charged_units?start_time=0&end_time=1`,
      `/organization/models/${id}/scheduled_prices`,
      `/organization/projects/${projectId}/rate_limits/${id}`,
      `/organization/projects/${projectId}/rate_limits/rl_${id}`,
    ];
    const model = await send(`${gateway.baseUrl}/models/${id}`, { key });
    expect([id, model.body.id]).toEqual([id, "meta/llama/3:8b"]);
    for (const path of paths)
      for (const base of [gateway.baseUrl, new URL(gateway.baseUrl).origin])
        expect([path, (await send(`${base}${path}`, { key: adminKey })).status]).toEqual([path, 200]);
    const limit = await send(gateway.baseUrl + paths[3], {
      key: adminKey,
      body: { max_requests_per_1_minute: 7 },
    });
    expect(limit.body).toMatchObject({ model: "meta/llama/3:8b", max_requests_per_1_minute: 7 });
  }
  const missing = await send(`${gateway.baseUrl}/models/meta/none`, { key });
  expect([missing.status, missing.error.code]).toEqual([404, "model_not_found"]);
});

test.each([".", "..", "a//b", "/a", "a/", "a/../b", "./a", "%2e", "%2E%2e"])(
  "no model is created as %p, which no address can name",
  async (id) => {
    const { status, error } = await create(id);
    expect([status, error.code, error.param]).toEqual([400, "invalid_value", "id"]);
    expect(error.message).toContain("no address can name it");
    const config = `models: [${JSON.stringify(draft(id))}]`;
    await expect(serveGateway({ config })).rejects.toThrow("no address can name it");
  },
);
