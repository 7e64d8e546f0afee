import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Batch } from "openai/resources/batches";
import { chatLine, createBatchClient } from "../../support/clients/batch-client";
import { joinMember } from "../../support/clients/join-member";
import { fetchWithKey } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";

/** Fields that OpenAI's batches don't have. */
type Extras = Batch & {
  amount: string;
  key_id: string;
  pace: { lines_per_minute: number; waits_for: string | null } | null;
};

let gateway: ServedGateway;
let client: ReturnType<typeof createBatchClient>;

beforeEach(async () => {
  gateway = await serveGateway({ isExpectedFault: isProviderFault, balance: "10.00" });
  client = createBatchClient(gateway);
});
afterEach(() => gateway.close());

const wide = { max_requests_per_1_minute: 100_000, max_tokens_per_1_minute: 10_000_000 };

const preview = (inputFileId: string, token = gateway.key) =>
  fetchWithKey(`${gateway.baseUrl}/batches/preview`, {
    key: token,
    body: { input_file_id: inputFileId, endpoint: "/v1/chat/completions" },
  }).then(async (reply) => [reply.status, await reply.json()] as const);

test("a preview says what a batch would be and cost, what the day allows, and which line is wrong, and counts nothing", async () => {
  await gateway.setLimits("sandbox-echo", { ...wide, batch_1_day_max_input_tokens: 20 });
  const lines = [chatLine("a", "one two three", { max_tokens: 10 }), chatLine("b", "x", { max_tokens: 10 })];
  const file = await client.upload(lines);
  const [status, told] = await preview(file);
  expect([status, told]).toMatchObject([
    200,
    { object: "batch.preview", model: "sandbox-echo", lines: 2, limit: { max: 20, used: 0 }, refusal: null },
  ]);
  expect(await preview(file)).toEqual([status, told]);
  const made = await client.create(lines);
  const ended = (await client.follow(made.id)) as Extras;
  expect(Number(ended.amount)).toBeGreaterThan(0);
  expect(Number(told.most_charge)).toBeGreaterThanOrEqual(Number(ended.amount));
  expect(Number(told.expected_charge)).toBeLessThanOrEqual(Number(told.most_charge));
  const [, again] = await preview(file);
  expect(again.limit.used).toBe(told.input_tokens);
  const [, larger] = await preview(await client.upload([chatLine("a", "x ".repeat(30))]));
  expect(larger.refusal).toMatchObject({ status: 429, code: "batch_1_day_max_input_tokens" });
  expect(await preview(await client.upload([...lines, "{"]))).toMatchObject([
    400,
    { error: { code: "invalid_batch_line", message: expect.stringContaining("Line 3") } },
  ]);
  expect((await client.openai.batches.list()).data).toHaveLength(1);
});

test("failed lines are listed with their errors and calls, before and after the end", async () => {
  await gateway.setLimits("sandbox-echo", wide);
  const lines = Array.from({ length: 30 }, (_, index) =>
    chatLine(`f${index}`, "x", { model: "sandbox-500" }),
  );
  const made = await client.create(lines);
  const ended = await client.follow(made.id);
  const errors = async () =>
    gateway.admin<{ failed: number; is_complete: boolean; groups: object[] }>(
      "GET",
      `/batches/${made.id}/errors`,
    );
  expect(await errors()).toMatchObject({ failed: 30, is_complete: true });
  const [group] = (await errors()).groups;
  expect(group).toMatchObject({ status: 502, count: 30 });
  expect(group).toHaveProperty("lines.length", 20);
  expect(group).toHaveProperty("lines.3", {
    line: 4,
    custom_id: "f3",
    request_id: expect.stringMatching(/^req_/),
  });
  await client.openai.files.delete(ended.error_file_id ?? "");
  expect(await errors()).toMatchObject({ failed: 30, is_complete: false, groups: [] });
});

test("a member's batch is charged to the member, shows the limit that it waits for, and ends with their permissions", async () => {
  await gateway.setLimits("sandbox-echo", { max_requests_per_1_minute: 10 });
  const member = await joinMember(gateway, "m@example.com", { name: "Mara", role: "admin" });
  const own = createBatchClient({ ...gateway, key: member.token });
  own.openai.project = gateway.projectId;
  const lines = Array.from({ length: 40 }, (_, index) => chatLine(`${index}`, "x"));
  const made = await own.create(lines);
  const slowed = (await own.follow(
    made.id,
    (batch) =>
      (batch as Extras).pace?.waits_for === "max_requests_per_1_minute" &&
      (batch.request_counts?.completed ?? 0) > 0,
  )) as Extras;
  expect(slowed.key_id).toBe(member.id);
  // Four fifths of the limit, long before the first lines that are stored together are all answered.
  expect(slowed.request_counts?.completed).toBeLessThanOrEqual(8);
  expect(Number(slowed.amount)).toBeGreaterThan(0);
  await fetchWithKey(`${gateway.baseUrl}/organization/users/${member.id}`, {
    method: "DELETE",
    key: gateway.adminKey,
  });
  await client.follow(made.id, ({ status }) => {
    gateway.pass(5_000);
    return status === "completed";
  });
  const errors = await gateway.admin<{ groups: object[] }>("GET", `/batches/${made.id}/errors`);
  expect(errors.groups).toMatchObject([{ status: 401 }]);
  const listed = await gateway.admin<{ data: { id: string }[] }>(
    "GET",
    "/batches?status=completed&model=sandbox-echo",
  );
  expect(listed.data.map(({ id }) => id)).toEqual([made.id]);
  expect((await gateway.admin<{ data: [] }>("GET", "/batches?status=cancelled")).data).toEqual([]);
});

// The creation of the batch takes one of the ten requests, and lines take at most four fifths of them.
test("the pace of a batch survives a restart, and any process can tell it", async () => {
  await gateway.setLimits("sandbox-echo", {
    max_requests_per_1_minute: 10,
    max_tokens_per_1_minute: 10_000_000,
  });
  const made = await client.create(Array.from({ length: 20 }, (_, index) => chatLine(`p${index}`, "x")));
  const waits = (batch: Batch) => (batch as Extras).pace?.waits_for === "max_requests_per_1_minute";
  await client.follow(made.id, (batch) => waits(batch) && (batch as Extras).pace?.lines_per_minute === 7);
  await gateway.restart();
  const { pace } = (await client.openai.batches.retrieve(made.id)) as Extras;
  expect(pace).toMatchObject({ lines_per_minute: 7 });
  await client.openai.batches.cancel(made.id);
});
