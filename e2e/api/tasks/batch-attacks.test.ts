import { afterEach, beforeEach, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import OpenAI from "openai";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import { isOnPostgres } from "@/lib/gateway/database/testing/open-temporary-database";
import { chatLine, createBatchClient } from "../../support/clients/batch-client";
import { fetchWithKey } from "../../support/clients/send";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import {
  chatCompletion,
  type ScriptedProvider,
  scriptedConfiguration,
  startScriptedProvider,
} from "../../support/servers/scripted-provider";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";

let provider: ScriptedProvider;
let gateway: ServedGateway;
let client: ReturnType<typeof createBatchClient>;

beforeEach(async () => {
  provider = startScriptedProvider();
  gateway = await serveGateway({ config: scriptedConfiguration(provider) });
  client = createBatchClient(gateway);
});
afterEach(async () => {
  await gateway.close();
  await provider.stop();
});

const fakeLine = (id: string) => chatLine(id, "x", { model: "fake", max_tokens: 5 });
/** The status of a call's reply, or of its refusal. */
const readStatus = (call: PromiseLike<unknown>) =>
  call.then(
    () => 200,
    (error: { status: number }) => error.status,
  );

/** A completion as some servers write it: indented, with line ends of both kinds. */
function indented(content: string): Response {
  const reply = chatCompletion(content, { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 });
  const text = JSON.stringify(reply, null, 2).replaceAll("\n", "\r\n");
  return new Response(text, { headers: { "content-type": "application/json" } });
}

test("an indented reply, and one with line ends in its text, is one line of the results", async () => {
  provider.answerWith(() => indented("two\nlines\r\n"));
  const batch = await client.follow((await client.create([fakeLine("a"), fakeLine("b")])).id);
  const results = await client.results(batch.output_file_id);
  expect(results.map((line) => [line.custom_id, line.response?.status_code])).toEqual([
    ["a", 200],
    ["b", 200],
  ]);
  const body = results[0]?.response?.body as OpenAI.ChatCompletion | undefined;
  expect(body?.choices[0]?.message.content).toBe("two\nlines\r\n");
  expect(batch.usage).toMatchObject({ input_tokens: 2, output_tokens: 4, total_tokens: 6 });
});

test("a provider gets a line's body byte for byte as it gets a live call's, with numbers beyond 2^53", async () => {
  const text = chatCompletion("hi", { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 });
  provider.answerWith(() => Response.json(text));
  const messages = String.raw`[{"role":"user","content":"\ud83d\ude00 x", "x_id":12345678901234567890.10}]`;
  const body = `{ "seed" : 9007199254740993, "model": "fake","temperature":1.0,  "max_tokens":5, "messages":${messages} }`;
  const live = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, { key: gateway.key, body });
  expect([live.status, await live.text()]).toEqual([200, expect.stringContaining("hi")]);
  const line = `{"method":"POST", "body" : ${body} ,"url":"/v1/chat/completions","custom_id":"a"}`;
  const batch = await client.follow((await client.create([line])).id);
  expect(batch.request_counts).toEqual({ total: 1, completed: 1, failed: 0 });
  const [first, second] = provider.visits.map((visit) => visit.body);
  expect(second).toBe(first as string);
  for (const digits of ["9007199254740993", "12345678901234567890.10", "1.0,"])
    expect(second).toContain(digits);
});

const LINES = Array.from({ length: 40 }, (_, index) => fakeLine(`${index}`));
/** After eight lines, the others wait until time passes. */
const FEW = { max_requests_per_1_minute: 10 };

async function waitingBatch() {
  provider.answerWith(() => indented("one"));
  await gateway.setLimits("fake", FEW);
  return client.create(LINES);
}

// On PostgreSQL files are in a bucket.
test.skipIf(isOnPostgres)(
  "a batch whose input is gone from the disk ends, and its place and file are free again",
  async () => {
    const made = await waitingBatch();
    await gateway.restart(() =>
      rm(join(gateway.dataFolder, "files", made.input_file_id), { recursive: true }),
    );
    const ended = await client.follow(made.id);
    expect(ended.status).toBe("cancelled");
    expect(ended.request_counts?.failed).toBe(0);
    expect(gateway.faults.splice(0).map(String)).toEqual([expect.stringContaining("is gone from the disk")]);
    expect(await client.openai.files.delete(made.input_file_id)).toMatchObject({ deleted: true });
    expect(await findDoctorFaults(gateway)).toEqual([]);
  },
);

test("concurrent cancellations cancel a batch once, and no other caller can cancel it", async () => {
  const { id, input_file_id } = await waitingBatch();
  const path = `/organization/projects/${gateway.projectId}/api_keys`;
  const limited = await gateway.admin<{ value: string }>("POST", path, {
    name: "Limited",
    endpoints: ["chat_completions", "files", "batches"],
  });
  const other = await gateway.admin<{ id: string }>("POST", "/organization/projects", { name: "Other" });
  const foreign = await gateway.admin<{ value: string }>(
    "POST",
    `/organization/projects/${other.id}/api_keys`,
    {
      name: "Foreign",
    },
  );
  for (const { value } of [limited, foreign]) {
    const stranger = new OpenAI({ apiKey: value, baseURL: gateway.baseUrl, maxRetries: 0 });
    expect(await readStatus(stranger.batches.cancel(id))).toBe(404);
    expect(await readStatus(stranger.batches.retrieve(id))).toBe(404);
    const stolen = { input_file_id, endpoint: "/v1/chat/completions", completion_window: "24h" } as const;
    expect(await readStatus(stranger.batches.create(stolen))).toBe(404);
  }
  const asked = Array.from({ length: 20 }, () => readStatus(client.openai.batches.cancel(id)));
  for (const status of await Promise.all(asked)) expect([200, 409]).toContain(status);
  expect((await client.follow(id)).status).toBe("cancelled");
  expect(await readStatus(client.openai.batches.cancel(id))).toBe(409);
  const events = "/organization/audit_logs?event_types[]=batch.cancel_requested";
  const { data } = await gateway.admin<{ data: AuditLog[] }>("GET", events);
  expect(data).toMatchObject([{ project: { id: gateway.projectId }, changes: [{ object: "batches", id }] }]);
  const keys = await gateway.admin<{ data: { id: string; name: string }[] }>("GET", path);
  const maker = keys.data.find(({ name }) => name !== "Limited");
  expect(data[0]?.actor?.api_key?.id).toBe(maker?.id ?? "");
  expect(await findDoctorFaults(gateway)).toEqual([]);
});

test("the lines of an archived project's batch are refused, and the batch ends", async () => {
  const other = await gateway.admin<{ id: string }>("POST", "/organization/projects", {
    name: "Short-lived",
  });
  const { value } = await gateway.admin<{ value: string }>(
    "POST",
    `/organization/projects/${other.id}/api_keys`,
    { name: "k" },
  );
  await gateway.admin("POST", `/organization/projects/${other.id}/rate_limits/fake`, FEW);
  provider.answerWith(() => indented("one"));
  const { id } = await createBatchClient({ ...gateway, key: value }).create(LINES);
  await gateway.admin("POST", `/organization/projects/${other.id}/archive`);
  const ended = await createBatchClient({ ...gateway, key: gateway.adminKey }).follow(id, ({ status }) => {
    gateway.pass(5_000);
    return status === "completed";
  });
  const { completed = 0, failed = 0 } = ended.request_counts ?? {};
  expect(completed + failed).toBe(LINES.length);
  expect(completed).toBeLessThan(10);
  expect(provider.visits.length).toBe(completed);
});
