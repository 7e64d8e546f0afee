import { expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Validator } from "@cfworker/json-schema";
import { parse, stringify } from "yaml";
import type { ConfigurationPlan } from "@/lib/contract/operations/configuration/configuration";
import { serveGateway } from "../../support/gateways/serve-gateway";

test("plan and apply end with what happened: 0, 2 for a difference, 1 for a fault", async () => {
  await using opened = new AsyncDisposableStack();
  const gateway = await serveGateway({ isExpectedFault: () => true });
  opened.defer(() => gateway.close());
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-plan-"));
  opened.defer(() => rm(folder, { recursive: true }));
  const origin = gateway.baseUrl.replace(/\/v1$/, "");
  const file = join(folder, "gatehouse.yaml");
  const run = async (args: string[], environment: object = {}) => {
    const child = Bun.spawn([process.execPath, "lib/plan/run.ts", ...args], {
      env: { ...process.env, GATEWAY_URL: origin, GATEHOUSE_KEY: gateway.adminKey, ...environment },
      stdout: "pipe",
      stderr: "pipe",
    });
    const [text, faults] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return { code: await child.exited, text: text + faults };
  };
  const exported = await gateway.admin<{ file: string }>("GET", "/organization/configuration");
  await writeFile(file, exported.file);
  const same = await run(["plan", file]);
  expect([same.code, same.text]).toEqual([0, "The file and the gateway are the same.\n"]);

  const content = parse(exported.file);
  content.roles = [{ name: "Support lead", permissions: ["api.users.read"] }];
  content.providers = [{ id: "near", kind: "openai", base_url: "http://127.0.0.1:9/v1", api_key: "${NEAR}" }];
  await writeFile(file, stringify(content));
  const differs = await run(["plan", file]);
  expect(differs.code).toBe(2);
  for (const line of ["The file has 2 changes.", "  + Role Support lead", "  + Provider near", "Needs NEAR"])
    expect(differs.text).toContain(line);
  const id = /npm run apply -- (plan_\w+)/.exec(differs.text)?.[1] ?? "";
  const lacking = await run(["apply", id]);
  expect([lacking.code, lacking.text]).toEqual([
    1,
    "Set NEAR in the environment: a provider is added with it.\n",
  ]);
  const applied = await run(["apply", id], { NEAR: "sk-near" });
  expect([applied.code, applied.text]).toEqual([0, expect.stringContaining("Applied 2 changes")]);

  content.roles = [];
  await writeFile(file, stringify(content));
  const planned: ConfigurationPlan = JSON.parse((await run(["plan", file, "--json"])).text);
  expect(planned.changes.map((change) => change.id)).toEqual(["roles/Support%20lead"]);
  await gateway.admin("POST", "/organization/roles", { role_name: "New", permissions: ["api.users.read"] });
  expect((await run(["apply", planned.id])).code).toBe(2);
  expect((await run(["plan", join(folder, "missing.yaml")])).code).toBe(1);
  expect((await run(["plan", file], { GATEHOUSE_KEY: "gk_admin_wrong" })).code).toBe(1);

  const schema = await (await fetch(`${origin}/schemas/gatehouse.json`)).json();
  const validator = new Validator(schema as object, "2020-12");
  expect(validator.validate(content).errors).toEqual([]);
  expect(validator.validate({ ...content, roles: [{ nam: "x" }] }).valid).toBe(false);
});
