import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "@/lib/dev/run-program";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";

// A user's setup for generating a client from /openapi.json: tools in their own versions, in a separate workspace.
const root = join(import.meta.dir, "../../..");
const generator = join(root, "e2e/generated-client/node_modules/.bin/openapi-typescript");

const program = `
import createClient from "openapi-fetch";
import type { paths } from "./gateway";

const [baseUrl, adminKey, projectKey] = process.argv.slice(2);
const clientOf = (key?: string) => createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${key}\` } });
const client = clientOf(adminKey);

const projects = await client.GET("/organization/projects", { params: { query: { limit: 1 } } });
const project_id = projects.data?.data[0]?.id ?? "";
const limit = await client.POST("/organization/projects/{project_id}/rate_limits/{rate_limit_id}", {
  params: { path: { project_id, rate_limit_id: "rl_sandbox-echo" } },
  body: { max_requests_per_1_minute: 7 },
});
const most: number | undefined = limit.data?.max_requests_per_1_minute;
const role = await client.POST("/organization/roles", { body: { role_name: "Auditor", permissions: ["api.roles.read"] } });
const unknown = await client.GET("/organization/roles/{role_id}", { params: { path: { role_id: "role_none" } } });
const code: string | null | undefined = unknown.error?.error.code;
const answer = await clientOf(projectKey).POST("/chat/completions", {
  body: { model: "sandbox-echo", messages: [{ role: "user", content: "one two" }] },
});
console.log(JSON.stringify({ most, role: role.data?.name, code, answer: answer.data }));
`;

/** Each line contains a mistake that the generated types must report. */
const mistakes = [
  'await client.GET("/organization/nothing");',
  'await client.POST("/organization/roles", { body: { role_name: 5, permissions: [] } });',
  'await client.POST("/organization/roles", { body: { role_name: "A", permissions: ["api.nothing.read"] } });',
  'await client.GET("/organization/roles/{role_id}", {});',
  'await client.POST("/chat/completions", { body: { messages: [] } });',
];

let gateway: ServedGateway;
let folder: string;

beforeAll(async () => {
  gateway = await serveGateway();
  folder = await mkdtemp(join(tmpdir(), "gatehouse-generated-"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
});

afterAll(async () => {
  await gateway.close();
  await rm(folder, { recursive: true });
});

test("a client generated from /openapi.json compiles, finds mistakes and calls every kind of operation", async () => {
  const described = await fetch(new URL("/openapi.json", gateway.baseUrl));
  await writeFile(join(folder, "openapi.json"), await described.text());
  const generated = await runProgram([
    generator,
    join(folder, "openapi.json"),
    "-o",
    join(folder, "gateway.ts"),
  ]);
  expect([generated.output, generated.exitCode]).toEqual([expect.any(String), 0]);
  const head = program.slice(0, program.indexOf("const projects"));
  await writeFile(join(folder, "program.ts"), program);
  await writeFile(join(folder, "mistaken.ts"), `${head}${mistakes.join("\n")}\n`);
  const options =
    "--ignoreConfig --noEmit --pretty false --strict --target es2023 --module preserve --types node";
  const files = ["program.ts", "mistaken.ts"].map((file) => join(folder, file));
  const checked = await runProgram(["tsc", ...options.split(" "), ...files]);
  const firstLine = head.split("\n").length;
  const found = [...checked.output.matchAll(/([\w-]+\.ts)\((\d+),\d+\): error/g)].map(
    ([, file, line]) => `${file} ${line}`,
  );
  expect([...new Set(found)]).toEqual(mistakes.map((_, index) => `mistaken.ts ${firstLine + index}`));

  const run = await runProgram([
    "bun",
    join(folder, "program.ts"),
    gateway.baseUrl,
    gateway.adminKey,
    gateway.key,
  ]);
  expect(JSON.parse(run.output)).toMatchObject({
    most: 7,
    role: "Auditor",
    code: "object_not_found",
    answer: { object: "chat.completion", choices: [{ message: { content: "one two" } }] },
  });
});
