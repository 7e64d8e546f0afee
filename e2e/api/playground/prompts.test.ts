import { expect, test } from "bun:test";
import { fetchWithKey } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { createMember } from "../../support/stored-data/create-member";
import { readStored, writeBeside } from "../../support/stored-data/query-database";

let gateway: ServedGateway;
const tokens: Record<string, string> = {};

serveForAll(async (served) => {
  gateway = served;
  await gateway.restart(async () => {
    const { dataFolder, runtime, projectId } = gateway;
    for (const name of ["ann", "bob"]) {
      const role = { roleId: "role_prompt_tester", projectId: null };
      tokens[name] = (await createMember(dataFolder, name, [role], runtime)).token;
    }
    const viewer = { roleId: "role_project_viewer", projectId };
    tokens.viewer = (await createMember(dataFolder, "viewer", [viewer], runtime)).token;
  });
});

async function ask(who: string, method: string, path: string, body?: object, version?: string) {
  const response = await fetchWithKey(
    `${gateway.baseUrl}/organization/projects/${gateway.projectId}/prompts${path}`,
    { method, key: tokens[who], body, headers: version ? { "if-match": `"${version}"` } : {} },
  );
  return { status: response.status, json: await response.json() };
}

const buildContent = (text: string) => ({
  endpoint: "chat_completions",
  body: { messages: [{ role: "user", content: text }], temperature: 0 },
});
const cases = [
  { variables: { name: "Ann" }, checks: [{ type: "contains", text: "Ann" }] },
  { variables: { name: "Bob" }, checks: [] },
];
const draft = { name: "Greeting", content: buildContent("Greet {{name}}"), cases };
const create = async (who = "ann", fields: object = {}) =>
  (await ask(who, "POST", "", { ...draft, ...fields })).json as { id: string; version: string };

test("a prompt is private until it is shared with the project; then everyone who may change prompts can use it", async () => {
  const { id, version } = await create();
  expect((await ask("ann", "GET", `/${id}`)).json).toMatchObject({
    ...draft,
    is_own: true,
    latest_version: 1,
  });
  for (const [method, path, body] of [
    ["GET", ""],
    ["POST", "", { name: "Mine now" }],
    ["DELETE", ""],
    ["GET", "/versions"],
    ["POST", "/versions", buildContent("Hi")],
    ["GET", "/runs"],
    ["POST", "/runs", { versions: [1], models: ["sandbox-echo"] }],
  ] as const) {
    expect([path, (await ask("bob", method, `/${id}${path}`, body)).status]).toEqual([path, 404]);
  }
  expect((await ask("bob", "GET", "")).json.data).toEqual([]);
  await ask("ann", "POST", `/${id}`, { is_shared: true }, version);
  expect((await ask("bob", "GET", "")).json.data).toMatchObject([{ id, is_own: false, is_shared: true }]);
  expect((await ask("bob", "POST", `/${id}/versions`, buildContent("Hi {{name}}"))).status).toBe(200);
  const unshared = await ask("bob", "POST", `/${id}`, { is_shared: false });
  expect([unshared.status, unshared.json.error.code]).toEqual([403, "not_owner"]);
  expect((await ask("viewer", "GET", `/${id}`)).status).toBe(403);
  expect((await ask("bob", "DELETE", `/${id}`)).status).toBe(200);
  expect((await ask("ann", "GET", `/${id}`)).status).toBe(404);
});

test("a prompt may be a call of responses, whose input its cases fill; it needs one, and no model", async () => {
  const responses = (body: object) => ({ content: { endpoint: "responses", body } });
  const kept = responses({ instructions: "Be brief.", input: [{ role: "user", content: "Greet {{name}}" }] });
  const { id } = await create("ann", kept);
  expect((await ask("ann", "GET", `/${id}`)).json).toMatchObject(kept);
  for (const [body, param] of [
    [{}, "content.body.input"],
    [{ input: [] }, "content.body.input"],
    [{ messages: [{ role: "user", content: "Hi" }] }, "content.body.input"],
    [{ input: "Hi", model: "sandbox-echo" }, "content.body"],
  ] as const) {
    const refused = await ask("ann", "POST", "", { ...draft, ...responses(body) });
    expect([refused.status, refused.json.error.param]).toEqual([400, param]);
  }
  const chat = { endpoint: "chat_completions", body: { input: "Hi" } };
  expect((await ask("ann", "POST", "", { ...draft, content: chat })).json.error.param).toBe(
    "content.body.messages",
  );
});

test("saved versions never change; an unchanged one is refused, and two saved at once become two versions", async () => {
  const { id } = await create();
  const same = await ask("ann", "POST", `/${id}/versions`, draft.content);
  expect([same.status, same.json.error.message]).toEqual([409, "This is the same as version 1."]);
  await Promise.all(
    ["two", "three"].map((text) => ask("ann", "POST", `/${id}/versions`, buildContent(text))),
  );
  const { data } = (await ask("ann", "GET", `/${id}/versions`)).json;
  expect(data.map(({ number }: { number: number }) => number).toSorted()).toEqual([1, 2, 3]);
  expect((await ask("ann", "GET", `/${id}`)).json.latest_version).toBe(3);
});

test("cases are replaced only with their current version; an invalid pattern is named by its case", async () => {
  const { id, version } = await create();
  const [first] = cases;
  expect((await ask("ann", "POST", `/${id}`, { cases: [first] }, version)).status).toBe(200);
  const stale = await ask("ann", "POST", `/${id}`, { cases: [] }, version);
  expect([stale.status, stale.json.error.current.cases]).toEqual([412, [first]]);
  const wrong = { variables: {}, checks: [{ type: "matches", pattern: "(?=ahead)" }] };
  const refused = await ask("ann", "POST", `/${id}`, { cases: [first, wrong] });
  expect([refused.status, refused.json.error.param]).toEqual([400, "cases"]);
  expect(refused.json.error.message).toStartWith("Case 2: a pattern is no regular expression");
  for (const body of [
    { messages: [] },
    { ...draft.content.body, model: "m" },
    { ...draft.content.body, stream: true },
  ])
    expect((await ask("ann", "POST", "", { ...draft, content: { ...draft.content, body } })).status).toBe(
      400,
    );
});

const result = {
  prompt_version: 1,
  case: 0,
  model: "sandbox-echo",
  state: "finished",
  request_id: "req_1",
  answer: "Hello Ann",
  problem: null,
  prompt_tokens: 3,
  completion_tokens: 2,
  amount: "0.001",
  first_word_ms: 10,
  duration_ms: 20,
  checks: [null],
};

test("a run keeps the cases it began with, and accepts results only from its starter, of its own calls", async () => {
  const { id } = await create("ann", { is_shared: true });
  const run = (await ask("ann", "POST", `/${id}/runs`, { versions: [1], models: ["sandbox-echo"] })).json;
  await ask("ann", "POST", `/${id}`, { cases: [] });
  const save = (who: string, fields: object = {}) =>
    ask(who, "POST", `/${id}/runs/${run.id}/results`, { results: [{ ...result, ...fields }] });
  expect((await save("ann", { answer: "first" })).status).toBe(200);
  expect((await save("ann")).status).toBe(200);
  expect((await save("bob")).status).toBe(404);
  for (const fields of [{ prompt_version: 2 }, { case: 2 }, { model: "other" }, { further: 1 }])
    expect((await save("ann", fields)).status).toBe(400);
  const read = (await ask("bob", "GET", `/${id}/runs/${run.id}`)).json;
  expect(read).toMatchObject({ cases, results: [result], is_own: false });
});

test("a run has cases, versions that there are, and at most 500 calls; the last 20 of a prompt are kept", async () => {
  const { id } = await create("ann", { cases: Array.from({ length: 100 }, () => cases[1]) });
  const begin = (versions: number[], models: string[], prompt = id) =>
    ask("ann", "POST", `/${prompt}/runs`, { versions, models });
  const six = Array.from({ length: 6 }, (_, index) => `m${index}`);
  expect((await begin([1], six)).json.error.message).toBe(
    "This run would make 600 calls, and a run makes at most 500. Choose fewer cases, versions or models.",
  );
  expect((await begin([2], ["m"])).json.error.param).toBe("versions");
  expect((await begin([1], ["m", "m"])).json.error.param).toBe("models");
  const { id: empty } = await create("ann", { cases: [] });
  expect((await begin([1], ["m"], empty)).status).toBe(400);
  for (let made = 0; made < 22; made++) await begin([1], ["m"]);
  expect((await ask("ann", "GET", `/${id}/runs`)).json.data).toHaveLength(20);
});

test("the store holds no words of prompts, cases and answers", async () => {
  const secret = { variables: { name: "Wombat" }, checks: [] };
  const { id } = await create("ann", { name: "Echidna", content: buildContent("platypus"), cases: [secret] });
  const run = (await ask("ann", "POST", `/${id}/runs`, { versions: [1], models: ["sandbox-echo"] })).json;
  await ask("ann", "POST", `/${id}/runs/${run.id}/results`, {
    results: [{ ...result, answer: "kookaburra", checks: [] }],
  });
  expect(await readStored(gateway)).not.toMatch(/platypus|Wombat|Echidna|kookaburra/);
});

test("a page of large versions ends where the reply is large enough, and the next page continues", async () => {
  const { id } = await create();
  const large = "x".repeat(900_000);
  for (let version = 2; version <= 12; version++)
    expect((await ask("ann", "POST", `/${id}/versions`, buildContent(`${version} ${large}`))).status).toBe(
      200,
    );
  const page = async (query: string) => (await ask("ann", "GET", `/${id}/versions?limit=500${query}`)).json;
  const first = await page("");
  expect([first.data.length < 8, first.has_more]).toEqual([true, true]);
  const second = await page(`&after=${first.last_id}`);
  expect(second.has_more).toBe(false);
  const numbers = [...first.data, ...second.data].map(({ number }: { number: number }) => number);
  expect(numbers.toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 12 }, (_, index) => index + 1),
  );
  const back = await page(`&before=${second.last_id}`);
  expect([back.data.at(-1), back.has_more]).toEqual([second.data.at(-2), true]);
});

test("one person's prompts take 500 MB at most, and deleting some makes room", async () => {
  const { id, version } = await create("bob");
  const run = (await ask("bob", "POST", `/${id}/runs`, { versions: [1], models: ["sandbox-echo"] })).json;
  const large = await create("bob");
  await writeBeside(gateway, async (queries) => {
    await queries
      .updateTable("prompt_sizes")
      .set({ bytes: 500_000_000 })
      .where("prompt_id", "=", large.id)
      .execute();
  });
  const longer = [...cases, { variables: { name: "Cid" }, checks: [] }];
  const changes = [
    ["content", "", draft],
    ["body", `/${id}/versions`, buildContent("Another")],
    ["cases", `/${id}`, { cases: longer }, version],
    ["prompt_id", `/${id}/runs`, { versions: [1], models: ["sandbox-echo"] }],
    ["results", `/${id}/runs/${run.id}/results`, { results: [result] }],
  ] as const;
  for (const [param, path, body, basedOn] of changes) {
    const { status, json } = await ask("bob", "POST", path, body, basedOn);
    expect([path, status, json.error.code, json.error.param]).toEqual([path, 409, "limit_reached", param]);
  }
  expect((await ask("bob", "POST", `/${id}`, { cases: [], name: "Shorter" }, version)).status).toBe(200);
  expect((await ask("ann", "POST", "", draft)).status).toBe(200);
  expect((await ask("bob", "DELETE", `/${large.id}`)).status).toBe(200);
  expect((await ask("bob", "POST", `/${id}/versions`, buildContent("Another"))).status).toBe(200);
});
