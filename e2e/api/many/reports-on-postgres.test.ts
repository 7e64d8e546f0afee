import { afterAll, beforeAll, expect, test } from "bun:test";
import pg from "pg";
import type { Reconciliation } from "@/lib/contract/operations/money/reconciliation";
import { openTemporaryPostgres } from "@/lib/gateway/database/testing/open-temporary-postgres";
import { fetchWithKey, send } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { withBucket } from "../../support/gateways/served-database";

let store: Awaited<ReturnType<typeof openTemporaryPostgres>>;
let gateway: ServedGateway;

beforeAll(async () => {
  store = await openTemporaryPostgres();
  const options = { databaseUrl: store.url, config: await withBucket(), hasRunningClock: true };
  gateway = await serveGateway(options);
  for (let call = 0; call < 3; call++) {
    const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
      key: gateway.key,
      body: { model: "sandbox-echo", messages: [{ role: "user", content: "one two" }] },
    });
    await reply.text();
    expect(reply.status).toBe(200);
  }
}, 120_000);

afterAll(async () => {
  await gateway?.close();
  await store?.remove();
}, 120_000);

const read = async (path: string) =>
  (await send(`${gateway.baseUrl}/organization${path}`, { key: gateway.adminKey })).body;

async function prove(): Promise<Reconciliation> {
  gateway.pass(5_000);
  let proof = await gateway.admin<Reconciliation>("GET", "/organization/reconciliation?full=true");
  await until("the proof is done", async () => {
    proof = await gateway.admin<Reconciliation>("GET", "/organization/reconciliation?full=true");
    return proof.state === "done";
  });
  return proof;
}

const listFaulty = ({ checks }: Reconciliation) => checks.filter(({ faults }) => faults.length > 0);

test("the audit chain holds, and the present month's statement has the balance", async () => {
  expect(await read("/audit_logs/verification")).toMatchObject({ fault: null });
  const { data } = (await read("/statements")) as unknown as { data: object[] };
  expect(data).toHaveLength(1);
  expect(data[0]).toMatchObject({ payments: "10.00", charges: "0.000009", closing_balance: "9.999991" });
});

test("the books are proven, and an entry that was altered past the gateway is named", async () => {
  const proof = await prove();
  expect(listFaulty(proof)).toEqual([]);
  expect(proof.checks.map(({ id }) => id)).toEqual([
    "I1",
    "I2",
    "I3",
    "I4",
    "I5",
    "I6",
    "I7",
    "I9",
    "I11",
    "I13",
    "I14",
    "I18",
    "I22",
  ]);
  expect(proof).toMatchObject({ entries: 4, verified_entries: 4 });
  expect(proof.charged[0]).toEqual({ basis: "reported", calls: 3, amount: "0.000009" });
  const client = new pg.Client(store.url);
  await client.connect();
  await client.query("DROP TRIGGER ledger_entries_are_not_changed ON ledger_entries");
  const forged = await client.query<{ id: string }>(
    "UPDATE ledger_entries SET amount = amount + 1 WHERE seq = 3 RETURNING id",
  );
  await client.end();
  const faulty = listFaulty(await prove());
  expect(faulty.map(({ id }) => id)).toEqual(["I4", "I5", "I7", "I11"]);
  expect(JSON.stringify(faulty)).toContain(forged.rows[0]?.id ?? "no entry");
}, 120_000);
