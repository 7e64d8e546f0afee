import { expect, test } from "bun:test";
import {
  addedModel,
  addedProvider,
  type Configured,
  serveConfiguredForEach,
} from "../../support/gateways/serve-configured";

let { gateway, ask } = {} as Configured;
serveConfiguredForEach((served) => {
  ({ gateway, ask } = served);
});

test("a provider is added, routed to, kept while it is needed, and its key never shown", async () => {
  const created = await ask("POST", "/providers", addedProvider);
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
  expect(await ask("POST", "/providers", addedProvider)).toMatchObject({
    status: 409,
    error: { param: "id" },
  });
  expect((await ask("POST", "/models", addedModel)).status).toBe(200);
  expect(await ask("POST", "/models", addedModel)).toMatchObject({
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
