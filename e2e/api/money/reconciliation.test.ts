import { expect, test } from "bun:test";
import type { Reconciliation } from "@/lib/contract/operations/money/reconciliation";
import { fetchWithKey } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { dropTrigger, queryDatabase } from "../../support/stored-data/query-database";

let gateway: ServedGateway;

serveForAll((served) => {
  gateway = served;
});

/** Requests a proof until it is done, a moment later than the last one, so that it is a new one. */
async function prove(query = ""): Promise<Reconciliation> {
  gateway.runtime.pass(5_000);
  const read = () => gateway.admin<Reconciliation>("GET", `/organization/reconciliation${query}`);
  let proof = await read();
  await until("the proof is done", async () => {
    proof = await read();
    return proof.state === "done";
  });
  return proof;
}

const listFaulty = ({ checks }: Reconciliation) => checks.filter(({ faults }) => faults.length > 0);

test("a gateway that has only answered calls reconciles, and the result includes their charges", async () => {
  await gateway.admin("POST", "/organization/payments", { amount: "5.00", reference: "Invoice 7" });
  for (let call = 0; call < 3; call++) {
    const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
      key: gateway.key,
      body: { model: "sandbox-echo", messages: [{ role: "user", content: "one two" }] },
    });
    expect(reply.status).toBe(200);
    await reply.text();
  }
  const proof = await prove();
  expect(listFaulty(proof)).toEqual([]);
  const ids = ["I1", "I2", "I3", "I4", "I5", "I6", "I7", "I9", "I11", "I13", "I14", "I18", "I22"];
  expect(proof.checks.map(({ id }) => id)).toEqual(ids);
  expect(proof).toMatchObject({ entries: 5, verified_entries: 5, verified_before: 0 });
  expect(proof.charged[0]).toEqual({ basis: "reported", calls: 3, amount: "0.000009" });
  expect(proof.provider_variance).toBe("0.00");
  expect(await prove()).toMatchObject({ entries: 5, verified_before: 5 });
  expect(await prove("?full=true")).toMatchObject({ entries: 5, verified_before: 0 });
});

test("names a row that was written past the gateway by its id", async () => {
  await gateway.restart(async () => {
    await dropTrigger(gateway, "ledger_entries_are_not_changed", "ledger_entries");
    await queryDatabase(
      gateway,
      "UPDATE ledger_entries SET amount = amount + 1 WHERE reference = 'Invoice 7'",
    );
  });
  const [, , ...entries] = (
    await gateway.admin<{ data: { id: string; reference: string | null }[] }>("GET", "/organization/ledger")
  ).data;
  const forged = entries.find(({ reference }) => reference === "Invoice 7");
  const proof = await prove("?full=true");
  expect(listFaulty(proof).map(({ id }) => id)).toEqual(["I5", "I7", "I11"]);
  expect(JSON.stringify(listFaulty(proof))).toContain(forged?.id ?? "no entry");
});

test("an unknown parameter is refused by its name", async () => {
  const reply = await fetchWithKey(`${gateway.baseUrl}/organization/reconciliation?ful=true`, {
    key: gateway.adminKey,
  });
  expect(reply.status).toBe(400);
});
