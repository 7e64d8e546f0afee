import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Batch } from "openai/resources/batches";
import { HOUR_MS } from "@/lib/contract/durations";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import { chatLine, createBatchClient } from "../../support/clients/batch-client";
import { fetchWithKey } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";

let gateway: ServedGateway;
let client: ReturnType<typeof createBatchClient>;

beforeEach(async () => {
  gateway = await serveGateway({ balance: "10.00", isExpectedFault: isProviderFault });
  client = createBatchClient(gateway);
});
afterEach(() => gateway.close());

/** Fields that OpenAI's batches don't have. */
type Extras = Batch & { amount: string; pace: { waits_for: string | null } | null };

const wide = { max_requests_per_1_minute: 100_000, max_tokens_per_1_minute: 10_000_000 };
const charges = async () =>
  (
    await gateway.admin<{ data: { request_id: string; amount: string }[] }>(
      "GET",
      "/organization/ledger?kind=charge&limit=1000",
    )
  ).data;

test("each line is answered under its custom_id, failed lines in the error file, and each answer is charged once", async () => {
  await gateway.setLimits("sandbox-echo", wide);
  const good = Array.from({ length: 150 }, (_, index) => chatLine(`row-${index}`, `word ${index}`));
  const made = await client.create([...good, chatLine("wrong", "x", { n: 3, temperature: 1 })], {
    metadata: { job: "nightly" },
  });
  expect(made).toMatchObject({ object: "batch", status: "in_progress", metadata: { job: "nightly" } });
  expect(made.request_counts).toEqual({ total: 151, completed: 0, failed: 0 });
  const ended = await client.follow(made.id);
  expect(ended).toMatchObject({ status: "completed", request_counts: { total: 151, failed: 0 } });
  const results = await client.results(ended.output_file_id);
  expect(results).toHaveLength(151);
  expect(results.slice(0, 2)).toMatchObject([
    {
      custom_id: "row-0",
      response: { status_code: 200, body: { choices: [{ message: { content: "word 0" } }] } },
    },
    { custom_id: "row-1" },
  ]);
  const ledger = await charges();
  const ids = results.map(({ response }) => response?.request_id ?? "");
  expect(new Set(ids).size).toBe(151);
  expect(ledger.map(({ request_id }) => request_id).toSorted()).toEqual(ids.toSorted());
  expect(ended.usage?.input_tokens).toBeGreaterThan(300);
  const sum = ledger.reduce((nano, { amount }) => nano + Math.round(Number(amount) * 1e9), 0);
  expect(Math.round(Number((ended as Extras).amount) * 1e9)).toBe(sum);
  expect(await findDoctorFaults(gateway)).toEqual([]);
});

test("a batch of embeddings runs too, and its results are vectors", async () => {
  const body = { model: "sandbox-embedding", input: ["a", "b"] };
  const line = JSON.stringify({ custom_id: "e", method: "POST", url: "/v1/embeddings", body });
  const made = await client.create([line], { endpoint: "/v1/embeddings" });
  const ended = await client.follow(made.id);
  const [result] = await client.results(ended.output_file_id);
  expect(result).toMatchObject({ custom_id: "e", response: { status_code: 200, body: { object: "list" } } });
});

test("a batch of responses runs too, and its results are responses", async () => {
  const body = { model: "sandbox-echo", input: "Hello there" };
  const line = JSON.stringify({ custom_id: "r", method: "POST", url: "/v1/responses", body });
  const made = await client.create([line], { endpoint: "/v1/responses" });
  const ended = await client.follow(made.id);
  const [result] = await client.results(ended.output_file_id);
  expect(result).toMatchObject({
    custom_id: "r",
    response: { status_code: 200, body: { object: "response", status: "completed" } },
  });
  expect(JSON.stringify(result)).toContain("Hello there");
  expect(await findDoctorFaults(gateway)).toEqual([]);
});

test("writes refused lines into the error file, and charges nothing for them", async () => {
  const made = await client.create([chatLine("fails", "x", { model: "sandbox-500" })]);
  const ended = await client.follow(made.id);
  expect(ended).toMatchObject({ status: "completed", request_counts: { completed: 0, failed: 1 } });
  expect(ended.output_file_id).toBeNull();
  const [result] = await client.results(ended.error_file_id);
  expect(result?.response).toMatchObject({ status_code: 502, request_id: expect.stringMatching(/^req_/) });
  expect(await charges()).toEqual([]);
});

test.each([
  ["no JSON", ["{"], "Line 1"],
  ["a custom_id twice", [chatLine("a", "x"), chatLine("a", "y")], "Line 2"],
  ["a stream", [chatLine("a", "x", { stream: true })], "body.stream"],
  ["another endpoint", [chatLine("a", "x").replace("chat/completions", "embeddings")], "url"],
  ["two models", [chatLine("a", "x"), chatLine("b", "x", { model: "sandbox-chat" })], "one model"],
  ["a model that makes files", [chatLine("a", "x", { model: "sandbox-image" })], "makes files"],
  ["a model that there is not", [chatLine("a", "x", { model: "nothing" })], "nothing"],
  ["a body that no call may have", [chatLine("a", "x", { max_tokens: -1 })], "max_tokens"],
  ["no line", ["", " "], "no lines"],
])("a file with %s makes no batch, and says where it is wrong", async (_, lines, words) => {
  const failed = client.create(lines as string[]);
  expect(await failed.catch((error: Error) => error.message)).toContain(words);
  expect((await client.openai.batches.list()).data).toEqual([]);
});

test("the prompts of the whole file count in the limit of the day, at creation and after a restart", async () => {
  await gateway.setLimits("sandbox-echo", { ...wide, batch_1_day_max_input_tokens: 30 });
  const lines = Array.from({ length: 4 }, (_, index) => chatLine(`${index}`, "one two three"));
  const first = await client.create(lines);
  await client.follow(first.id);
  const refused = await client.create(lines.concat(chatLine("5", "x ".repeat(30)))).catch((error) => error);
  expect(refused).toMatchObject({ status: 429, code: "batch_1_day_max_input_tokens" });
  expect((await client.openai.batches.list()).data).toHaveLength(1);
  await gateway.restart();
  const used = refused.error.limit.used;
  const again = await client.create(lines.concat(chatLine("5", "x ".repeat(30)))).catch((error) => error);
  expect(again.error.limit).toMatchObject({ used, max: 30 });
  gateway.pass(25 * HOUR_MS);
  await client.create(lines);
});

test("lines wait for the limits of their calls instead of failing", async () => {
  await gateway.setLimits("sandbox-echo", { max_requests_per_1_minute: 5 });
  const lines = Array.from({ length: 12 }, (_, index) => chatLine(`${index}`, "x"));
  const made = await client.create(lines);
  const ended = await client.follow(made.id, ({ status }) => {
    gateway.pass(5_000);
    return status === "completed";
  });
  expect(ended.request_counts).toEqual({ total: 12, completed: 12, failed: 0 });
  const refused = await gateway.admin<{ data: unknown[] }>("GET", "/organization/requests?outcome=refused");
  expect(refused.data).toEqual([]);
});

test("lines wait for a balance that is used up, and are answered once it is paid", async () => {
  const poor = await serveGateway({ balance: "0.00" });
  const batches = createBatchClient(poor);
  const made = await batches.create([chatLine("a", "x"), chatLine("b", "x")]);
  const list = "/organization/requests?outcome=refused";
  const countRefusals = async () => (await poor.admin<{ data: unknown[] }>("GET", list)).data.length;
  await until("each line was refused four times", async () => (await countRefusals()) >= 8, 30_000);
  expect(await batches.openai.batches.retrieve(made.id)).toMatchObject({
    status: "in_progress",
    request_counts: { failed: 0 },
    pace: { waits_for: "balance" },
  });
  await poor.admin("POST", "/organization/payments", { amount: "10.00", reference: "r" });
  expect((await batches.follow(made.id)).request_counts).toEqual({ total: 2, completed: 2, failed: 0 });
  await poor.close();
});

test("a canceled batch begins no further line, keeps its results, and is canceled once", async () => {
  await gateway.setLimits("sandbox-echo", { max_requests_per_1_minute: 10 });
  const made = await client.create(Array.from({ length: 40 }, (_, index) => chatLine(`${index}`, "x")));
  expect(await client.openai.batches.cancel(made.id)).toMatchObject({ status: "cancelling" });
  const ended = await client.follow(made.id);
  const results = await client.results(ended.output_file_id ?? undefined);
  expect(ended.status).toBe("cancelled");
  expect(results).toHaveLength(ended.request_counts?.completed ?? -1);
  expect((await charges()).length).toBe(results.length);
  expect(await client.openai.batches.cancel(made.id).catch((error) => error.code)).toBe("batch_ended");
});

test("when the window ends, the remaining lines are reported as expired and cost nothing", async () => {
  await gateway.setLimits("sandbox-echo", { max_requests_per_1_minute: 10 });
  const made = await client.create(Array.from({ length: 40 }, (_, index) => chatLine(`${index}`, "x")));
  await client.follow(made.id, (batch) => (batch as Extras).pace?.waits_for === "max_requests_per_1_minute");
  gateway.pass(24 * HOUR_MS + 1_000);
  const ended = await client.follow(made.id);
  expect(ended.status).toBe("expired");
  const rest = await client.results(ended.error_file_id);
  expect(rest.every(({ error }) => error?.code === "batch_expired")).toBe(true);
  expect(rest.length + (ended.request_counts?.completed ?? 0)).toBe(40);
  expect(await charges()).toHaveLength(40 - rest.length);
});

test("a batch outlives the gateway: it goes on where it was, and no line is charged twice", async () => {
  await gateway.setLimits("sandbox-echo", wide);
  const lines = Array.from({ length: 400 }, (_, index) => chatLine(`${index}`, "a b c"));
  const made = await client.create(lines);
  await client.follow(made.id, ({ request_counts }) => (request_counts?.completed ?? 0) > 50);
  await gateway.restart();
  const ended = await client.follow(made.id);
  expect(ended.request_counts).toEqual({ total: 400, completed: 400, failed: 0 });
  const results = await client.results(ended.output_file_id);
  expect(results.map(({ custom_id }) => custom_id)).toEqual(lines.map((_, index) => `${index}`));
  expect(await charges()).toHaveLength(400);
  expect(await findDoctorFaults(gateway)).toEqual([]);
});

test("lines of a key that is revoked are refused from then on", async () => {
  await gateway.setLimits("sandbox-echo", { max_requests_per_1_minute: 10 });
  const owner = await gateway.admin<{ id: string; value: string }>(
    "POST",
    `/organization/projects/${gateway.projectId}/api_keys`,
    { name: "batches" },
  );
  const theirs = createBatchClient({ ...gateway, key: owner.value });
  const made = await theirs.create(Array.from({ length: 40 }, (_, index) => chatLine(`${index}`, "x")));
  await fetchWithKey(`${gateway.baseUrl}/organization/projects/${gateway.projectId}/api_keys/${owner.id}`, {
    method: "DELETE",
    key: gateway.adminKey,
  });
  await client.follow(made.id, ({ status }) => {
    gateway.pass(5_000);
    return status === "completed";
  });
  const ended = await client.follow(made.id);
  const refused = await client.results(ended.error_file_id);
  expect(refused.length).toBeGreaterThan(20);
  expect(refused.at(-1)?.response?.status_code).toBe(401);
});

test("a file that a batch reads stays until the batch has ended", async () => {
  await gateway.setLimits("sandbox-echo", { max_requests_per_1_minute: 1 });
  const made = await client.create([chatLine("a", "x"), chatLine("b", "x")]);
  const inUse = client.openai.files.delete(made.input_file_id).catch((error) => error);
  expect(await inUse).toMatchObject({ status: 409, code: "in_use" });
  await client.openai.batches.cancel(made.id);
  await client.follow(made.id);
  expect(await client.openai.files.delete(made.input_file_id)).toMatchObject({ deleted: true });
  const types = ["batch.created", "file.deleted"].map((type) => `event_types[]=${type}`).join("&");
  const { data } = await gateway.admin<{ data: AuditLog[] }>("GET", `/organization/audit_logs?${types}`);
  expect(data).toMatchObject([
    {
      type: "file.deleted",
      actor: { type: "api_key" },
      changes: [{ object: "files", id: made.input_file_id }],
    },
    { type: "batch.created", actor: { type: "api_key" }, changes: [{ object: "batches", id: made.id }] },
  ]);
});
