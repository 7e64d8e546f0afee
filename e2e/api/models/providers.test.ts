import { expect, test } from "bun:test";
import { send } from "../../support/clients/send";
import { serveForEach } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;

const config = `
providers:
  - { id: configured, kind: openai, base_url: "http://127.0.0.1:9/v1/", api_key: sk-canary-config }
`;

serveForEach(
  (served) => {
    gateway = served;
  },
  { config },
);

function ask(method: string, path: string, body?: unknown) {
  return send(`${gateway.baseUrl}/organization${path}`, { method, key: gateway.adminKey, body });
}

const provider = {
  id: "ollama",
  kind: "openai",
  base_url: "http://127.0.0.1:11434/v1/",
  api_key: "sk-canary-database",
};
const model = {
  id: "meta/Llama-3",
  family: "chat",
  rate: "0.5",
  price: { input_per_1m: "1", output_per_1m: "2" },
  routes: [{ provider: "ollama", model: "llama3" }],
};

test("a provider is added, routed to, kept while it is needed, and its key never shown", async () => {
  const created = await ask("POST", "/providers", provider);
  expect(created.body).toEqual({
    object: "organization.provider",
    id: "ollama",
    kind: "openai",
    base_url: "http://127.0.0.1:11434/v1",
    has_api_key: true,
    output_limit_field: "max_tokens",
    source: "database",
    task_api: null,
    misconfigured: [],
    version: expect.any(String),
  });
  expect(await ask("POST", "/providers", provider)).toMatchObject({ status: 409, error: { param: "id" } });
  expect((await ask("POST", "/models", model)).status).toBe(200);
  expect(await ask("POST", "/models", model)).toMatchObject({
    status: 409,
    error: { code: "already_exists" },
  });
  expect(await ask("DELETE", "/providers/ollama")).toMatchObject({ status: 409, error: { code: "in_use" } });
  for (const id of ["sandbox", "configured"]) {
    const refused = await ask("DELETE", `/providers/${id}`);
    expect([refused.status, refused.error.code]).toEqual([403, "predefined_provider"]);
  }
  const files = await Promise.all(
    ["gatehouse.sqlite", "gatehouse.sqlite-wal"].map((name) =>
      Bun.file(`${gateway.dataFolder}/${name}`).text(),
    ),
  );
  expect(files.join()).toContain("ollama");
  expect(files.join()).not.toContain("canary");
});
