import { expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import type { Batch } from "openai/resources/batches";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import { chatLine, createBatchClient, type ResultLine } from "../../support/clients/batch-client";
import { fetchWithKey } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedForAll } from "../../support/gateways/serve-scripted";
import { chatCompletion, type ScriptedProvider } from "../../support/servers/scripted-provider";

interface Key {
  readonly id: string;
  readonly value: string;
}

const LINES = 40;
/** As many lines as are answered at once. */
const UNDER_WAY = 16;

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
);

const completion = chatCompletion("hi", { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 });

/** Begins a batch of a new project, does something while its first lines are under way, and reads what came of it. */
async function interrupt(meanwhile: (path: string, key: Key) => Promise<unknown>) {
  const answering = Promise.withResolvers<void>();
  const before = provider.visits.length;
  provider.answerWith(async () => {
    await answering.promise;
    return Response.json(completion);
  });
  const project = await gateway.admin<{ id: string }>("POST", "/organization/projects", {
    name: `Nightly ${randomUUID()}`,
  });
  const path = `/organization/projects/${project.id}`;
  const key = await gateway.admin<Key>("POST", `${path}/api_keys`, { name: "Nightly" });
  const lines = Array.from({ length: LINES }, (_, line) => chatLine(`${line}`, "x", { model: "slow" }));
  const { id } = await createBatchClient({ baseUrl: gateway.baseUrl, key: key.value }).create(lines);
  await until("its first lines are called", async () => provider.visits.length === before + UNDER_WAY);
  await meanwhile(path, key).finally(() => answering.resolve());
  let batch = {} as Batch & { amount: string };
  await until(`${id} has ended`, async () => {
    batch = await gateway.admin<typeof batch>("GET", `/batches/${id}`);
    return batch.status === "completed";
  });
  const charges = await gateway.admin<{ data: LedgerEntry[] }>(
    "GET",
    `/organization/ledger?kind=charge&project_id=${project.id}&limit=100`,
  );
  return {
    batch,
    output: await read(batch.output_file_id),
    errors: await read(batch.error_file_id),
    charges: charges.data,
    calls: provider.visits.length - before,
  };
}

async function read(fileId: string | undefined): Promise<(ResultLine & { amount?: string })[]> {
  if (!fileId) return [];
  const reply = await fetchWithKey(`${gateway.baseUrl}/files/${fileId}/content`, { key: gateway.adminKey });
  return (await reply.text())
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as ResultLine);
}

const revoke = (path: string) =>
  fetchWithKey(`${gateway.baseUrl}${path}`, { method: "DELETE", key: gateway.adminKey });

const waysToEnd: Readonly<Record<string, (path: string, key: Key) => Promise<unknown>>> = {
  "its key is revoked": (path, { id }) => revoke(`${path}/api_keys/${id}`),
  "its project is archived": (path) => gateway.admin("POST", `${path}/archive`),
};

for (const [way, endAccess] of Object.entries(waysToEnd)) {
  test(`lines under way keep the answers that were paid for when ${way}; the others cost nothing`, async () => {
    const { batch, output, errors, charges, calls } = await interrupt(endAccess);
    expect(calls).toBe(UNDER_WAY);
    expect(charges).toHaveLength(UNDER_WAY);
    expect(batch.request_counts).toEqual({ total: LINES, completed: UNDER_WAY, failed: LINES - UNDER_WAY });
    const requestIds = output.map(({ response }) => response?.request_id);
    expect(requestIds.toSorted()).toEqual(charges.map(({ request_id }) => request_id ?? "").toSorted());
    expect(output.every(({ response }) => JSON.stringify(response?.body).includes("hi"))).toBe(true);
    expect(errors.map(({ response, amount }) => [response?.status_code, amount])).toEqual(
      errors.map(() => [401, "0.00"]),
    );
  });
}

test("a batch goes on with the key that its own was rotated to without overlap, and its own is charged", async () => {
  const { batch, output, charges } = await interrupt((path, { id }) =>
    gateway.admin("POST", `${path}/api_keys/${id}/rotate`, { overlap_seconds: 0 }),
  );
  expect(batch.request_counts).toEqual({ total: LINES, completed: LINES, failed: 0 });
  const chargedKeys = new Set(charges.map(({ key_id }) => key_id));
  expect([output.length, charges.length, chargedKeys.size]).toEqual([LINES, LINES, 1]);
});

test("a batch goes on over two rotations without overlap and a restart, and its last key sees it", async () => {
  let last: Key | null = null;
  const { batch } = await interrupt(async (path, { id }) => {
    const rotate = (from: string) =>
      gateway.admin<Key>("POST", `${path}/api_keys/${from}/rotate`, { overlap_seconds: 0 });
    last = await rotate((await rotate(id)).id);
  });
  expect(batch.request_counts).toMatchObject({ completed: LINES });
  const client = createBatchClient({ baseUrl: gateway.baseUrl, key: (last as unknown as Key).value });
  await gateway.restart();
  expect((await client.follow(batch.id)).id).toBe(batch.id);
});

test("the lines of a batch are refused once the key that its own was rotated to is revoked, too", async () => {
  const { batch } = await interrupt(async (path, { id }) => {
    const successor = await gateway.admin<Key>("POST", `${path}/api_keys/${id}/rotate`, {
      overlap_seconds: 0,
    });
    await revoke(`${path}/api_keys/${successor.id}`);
  });
  expect(batch.request_counts).toEqual({ total: LINES, completed: UNDER_WAY, failed: LINES - UNDER_WAY });
});
