import { expect, test } from "bun:test";
import { MINUTE_S, SECOND_MS } from "@/lib/contract/durations";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import { chatLine, createBatchClient } from "../../support/clients/batch-client";
import { until } from "../../support/clients/until";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedForAll } from "../../support/gateways/serve-scripted";
import { chatCompletion, type ScriptedProvider } from "../../support/servers/scripted-provider";

/** Shorter than a provider may take, since its calls under way last longer than the key. */
const OVERLAP_S = MINUTE_S;

interface Key {
  readonly id: string;
  readonly value: string;
}

let provider: ScriptedProvider;
let gateway: ServedGateway;

serveScriptedForAll(
  ({ baseUrl }) => `
providers:
  - { id: scripted, kind: openai, base_url: "${baseUrl}" }
models:
  - id: slow
    family: chat
    rate: "1.0"
    price: { input_per_1m: "2.00", output_per_1m: "10.00" }
    max_output_tokens: 100
    routes: [{ provider: scripted, model: x }]
`,
  (served) => {
    ({ provider, gateway } = served);
  },
  // A line that outlasts the stop meets the closed store.
  { isExpectedFault: (fault) => String(fault).includes("driver has already been destroyed") },
);

const completion = chatCompletion("hi", { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 });

test("a batch goes on after its key was rotated and has expired, and its key is charged", async () => {
  const answering = Promise.withResolvers<void>();
  provider.answerWith(async () => {
    await answering.promise;
    return Response.json(completion);
  });
  const keys = `/organization/projects/${gateway.projectId}/api_keys`;
  const key = await gateway.admin<{ id: string; value: string }>("POST", keys, { name: "Nightly" });
  const lines = Array.from({ length: 40 }, (_, line) => chatLine(`${line}`, "x", { model: "slow" }));
  const { id } = await createBatchClient({ baseUrl: gateway.baseUrl, key: key.value }).create(lines);
  await until("its first lines are called", async () => provider.visits.length > 0);
  const rotated = await gateway.admin<{ value: string }>("POST", `${keys}/${key.id}/rotate`, {
    overlap_seconds: OVERLAP_S,
  });
  gateway.pass((OVERLAP_S + 1) * SECOND_MS);
  answering.resolve();
  const batch = await createBatchClient({ baseUrl: gateway.baseUrl, key: rotated.value }).follow(id);
  expect(batch).toMatchObject({ status: "completed", request_counts: { completed: 40, failed: 0 } });
  const { data } = await gateway.admin<{ data: LedgerEntry[] }>("GET", "/organization/ledger?kind=charge");
  expect(new Set(data.map(({ key_id }) => key_id))).toEqual(new Set([key.id]));
});

test("lines that were charged before a restart are not charged again after a second rotation", async () => {
  const rotatedOnce = Promise.withResolvers<void>();
  const restarted = Promise.withResolvers<void>();
  provider.answerWith(async ({ body }) => {
    await (body.includes("line 0") ? restarted.promise : rotatedOnce.promise);
    return Response.json(completion);
  });
  const keys = `/organization/projects/${gateway.projectId}/api_keys`;
  const rotate = async ({ id }: Key) => {
    const successor = await gateway.admin<Key>("POST", `${keys}/${id}/rotate`, {
      overlap_seconds: OVERLAP_S,
    });
    gateway.pass((OVERLAP_S + 1) * SECOND_MS);
    return successor;
  };
  const key = await gateway.admin<Key>("POST", keys, { name: "Twice" });
  // These are more lines than are answered at once, so that some begin with the second key.
  const lines = Array.from({ length: 24 }, (_, line) =>
    chatLine(`${line}`, `line ${line}`, { model: "slow" }),
  );
  const { id } = await createBatchClient({ baseUrl: gateway.baseUrl, key: key.value }).create(lines);
  const countCharges = async () => {
    const query = `kind=charge&key_id=${key.id}&limit=100`;
    return (await gateway.admin<{ data: LedgerEntry[] }>("GET", `/organization/ledger?${query}`)).data.length;
  };
  const second = await rotate(key);
  rotatedOnce.resolve();
  await until("all lines but the first are charged", async () => (await countCharges()) === 23);
  const third = await rotate(second);
  await gateway.restart(async () => restarted.resolve());
  const batch = await createBatchClient({ baseUrl: gateway.baseUrl, key: third.value }).follow(id);
  expect(batch.request_counts?.total).toBe(24);
  expect(await countCharges()).toBe(24);
});
