import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { MINUTE_MS } from "@/lib/contract/durations";
import type { LoggedRequest, RequestHistogram } from "@/lib/contract/operations/calls/requests";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import type { BatchPreview } from "@/lib/contract/operations/tasks/batches";
import { chatLine, createBatchClient } from "../../support/clients/batch-client";
import { readReceipt } from "../../support/clients/read-requests";
import { send } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";

let gateway: ServedGateway;
let client: ReturnType<typeof createBatchClient>;

const config = `
models:
  - { id: halved, family: chat, rate: "0.5", batch_rate: "0.25", price: { input_per_1m: "1.00", output_per_1m: "2.00" }, routes: [{ provider: sandbox, model: sandbox-echo }] }
  - { id: vectors, family: embedding, rate: "1", batch_rate: "0.5", price: { input_per_1m: "1.00", output_per_1m: "0" }, routes: [{ provider: sandbox, model: sandbox-embedding }] }
`;

beforeAll(async () => {
  gateway = await serveGateway({ config, isExpectedFault: isProviderFault });
  client = createBatchClient(gateway);
});
afterAll(() => gateway.close());

const list = async <Item>(path: string) => (await gateway.admin<{ data: Item[] }>("GET", path)).data;
const listCharges = async (batch: string) => {
  const calls = await list<LoggedRequest>(`/organization/requests?batch_id=${batch}`);
  const receipts = calls.map(({ id }) => readReceipt(gateway, id));
  return (await Promise.all(receipts)).map(({ entries: [entry] }) => entry as LedgerEntry);
};
const change = (model: string, body: object) =>
  send(`${gateway.baseUrl}/organization/models/${model}`, { method: "POST", key: gateway.adminKey, body });
const line = (customId: string, text: string, model = "halved") => chatLine(customId, text, { model });

describe("lines of a batch", () => {
  test("are charged at the batch rate, as their estimate says, and live calls at the model rate", async () => {
    const lines = Array.from({ length: 20 }, (_, index) => line(`row-${index}`, "one two three"));
    const input = await client.upload(lines);
    const preview = await send(`${gateway.baseUrl}/batches/preview`, {
      method: "POST",
      key: gateway.key,
      body: { input_file_id: input, endpoint: "/v1/chat/completions" },
    });
    const made = await client.openai.batches.create({
      input_file_id: input,
      endpoint: "/v1/chat/completions",
      completion_window: "24h",
    });
    const ended = await client.follow(made.id);
    // 3 tokens in at 1.00 and 3 out at 2.00 per million, at a rate of 0.25.
    const charge = "0.00000225";
    const charges = await listCharges(made.id);
    expect(charges).toHaveLength(20);
    for (const entry of charges) {
      expect([entry.amount, entry.price?.rate, entry.batch_id]).toEqual([charge, "0.25", made.id]);
    }
    expect((ended as unknown as { amount: string }).amount).toBe("0.000045");
    const { most_charge, expected_charge } = preview.body as BatchPreview;
    // Each line may write a whole window of 128,000 tokens, and is expected to write 1,024.
    expect([expected_charge, most_charge]).toEqual(["0.010255", "1.280015"]);
    const live = await send(`${gateway.baseUrl}/chat/completions`, {
      method: "POST",
      key: gateway.key,
      body: { model: "halved", messages: [{ role: "user", content: "one two three" }] },
      headers: { "user-agent": `gatehouse-batch/${made.id}` },
    });
    const receipt = await readReceipt(gateway, live.headers.get("x-request-id"));
    expect([receipt.request.amount, receipt.request.batch_id, receipt.entries[0]?.price?.rate]).toEqual([
      "0.0000045",
      null,
      "0.50",
    ]);
    expect(await findDoctorFaults(gateway)).toEqual([]);
  });

  test("of embeddings are charged at the batch rate", async () => {
    const body = { model: "vectors", input: ["a b", "c"] };
    const asked = JSON.stringify({ custom_id: "e", method: "POST", url: "/v1/embeddings", body });
    const made = await client.create([asked], { endpoint: "/v1/embeddings" });
    await client.follow(made.id);
    const [entry] = await listCharges(made.id);
    expect([entry?.amount, entry?.price?.rate]).toEqual(["0.0000015", "0.50"]);
  });

  test("are held at the batch rate: a balance that is too low for a live call is enough", async () => {
    const poor = await serveGateway({ config, balance: "0.01" });
    const batches = createBatchClient(poor);
    const most = { model: "halved", max_tokens: 12_000 };
    const made = await batches.create([chatLine("a", "x", most)]);
    const ended = await batches.follow(made.id);
    expect(ended.request_counts).toEqual({ total: 1, completed: 1, failed: 0 });
    const [result] = await batches.results(ended.output_file_id);
    const id = result?.response?.request_id ?? null;
    const { hold } = await readReceipt(poor, id);
    expect(hold?.amount).toBe("0.00600025");
    await poor.close();
  });

  test("keep the rate they were admitted at, and later ones get the new one", async () => {
    expect((await change("halved", { batch_rate: "0.1" })).status).toBe(200);
    const after = await client.create([line("b", "one two three")]);
    await client.follow(after.id);
    const [entry] = await listCharges(after.id);
    expect([entry?.amount, entry?.price?.rate]).toEqual(["0.0000009", "0.10"]);
    expect((await change("halved", { batch_rate: null })).body).toMatchObject({
      rate: "0.50",
      batch_rate: null,
    });
    const live = await client.create([line("c", "one two three")]);
    await client.follow(live.id);
    expect((await listCharges(live.id))[0]?.price?.rate).toBe("0.50");
    await gateway.restart();
    const read = await gateway.admin<OrganizationModel>("GET", "/organization/models/halved");
    expect(read.batch_rate).toBeNull();
  });
});

describe("the calls of a batch", () => {
  test("are listed and counted by their batch, failed ones too, and survive a restart", async () => {
    const failing = await client.create([chatLine("f", "x", { model: "sandbox-500" })]);
    await client.follow(failing.id);
    await gateway.restart();
    const path = `/organization/requests?batch_id=${failing.id}`;
    const calls = await list<LoggedRequest>(path);
    expect(calls.length).toBeGreaterThan(0);
    for (const { batch_id, outcome } of calls)
      expect([batch_id, outcome]).toEqual([failing.id, "provider_failed"]);
    const { totals } = await gateway.admin<RequestHistogram>(
      "GET",
      `/organization/request_histogram?batch_id=${failing.id}`,
    );
    expect(totals.provider_failed).toBe(calls.length);
    expect(await list("/organization/requests?batch_id=batch_none")).toEqual([]);
  });
});

describe("a batch rate", () => {
  test("is set with a model, changed with its other prices, and scheduled", async () => {
    const draft = {
      id: "added",
      family: "chat",
      rate: "1",
      batch_rate: "0.5",
      price: { input_per_1m: "1", output_per_1m: "1" },
      routes: [{ provider: "sandbox", model: "sandbox-echo" }],
    };
    const made = await gateway.admin<OrganizationModel>("POST", "/organization/models", draft);
    expect(made.batch_rate).toBe("0.50");
    expect((await change("added", { rate: "2" })).body).toMatchObject({ rate: "2.00", batch_rate: "0.50" });
    const scheduled = "/organization/models/added/scheduled_prices";
    const effective_at = Math.floor(gateway.runtime.clock.nowMs() / 1000) + 60;
    const [price, none] = [
      await gateway.admin<object>("POST", scheduled, { effective_at, batch_rate: "0.75" }),
      await gateway.admin<object>("POST", scheduled, { effective_at: effective_at + 60, batch_rate: null }),
    ];
    expect([price, none]).toMatchObject([{ rate: null, batch_rate: "0.75" }, { batch_rate: null }]);
    const other = await gateway.admin<object>("POST", scheduled, {
      effective_at: effective_at + 120,
      rate: "3",
    });
    expect(other).not.toHaveProperty("batch_rate");
    const present = async () =>
      (await gateway.admin<OrganizationModel>("GET", "/organization/models/added")).batch_rate;
    gateway.pass(61_000);
    await until("the first change is in effect", async () => (await present()) === "0.75");
    gateway.pass(MINUTE_MS);
    await until("the second change is in effect", async () => (await present()) === null);
  });

  test.each([
    ["sandbox-image", "0.5", "batch_rate"],
    ["sandbox-moderation", "0.5", "batch_rate"],
    ["halved", "0", "batch_rate"],
    ["halved", "half", "batch_rate"],
  ])("is refused for %s: %s", async (model, batch_rate, param) => {
    const { status, error } = await change(model, { batch_rate });
    expect([status, error.param]).toEqual([400, param]);
  });
});
