import { expect, test } from "bun:test";
import { send } from "../../support/clients/send";
import { serveForEach } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;

serveForEach((served) => {
  gateway = served;
});

function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  return send(`${gateway.baseUrl}/organization${path}`, { method, key: gateway.adminKey, body, headers });
}

test("a payment is in the balance and on top of the ledger, and its repeat is the same payment", async () => {
  const payment = { amount: "25.00", reference: "Invoice 7" };
  const headers = { "idempotency-key": "order-1" };
  const first = await ask("POST", "/payments", payment, headers);
  expect(first.body).toMatchObject({
    object: "ledger_entry",
    kind: "payment",
    amount: "25.00",
    balance_change: "25.00",
    currency: "USD",
    from_account: "payments",
    to_account: "balance",
    reference: "Invoice 7",
    price: null,
  });
  expect((await ask("POST", "/payments", payment, headers)).body).toEqual(first.body);
  const other = await ask("POST", "/payments", { ...payment, amount: "26.00" }, headers);
  expect([other.status, other.error.code]).toEqual([409, "idempotency_conflict"]);
  expect((await ask("GET", "/balance")).body).toEqual({
    object: "balance",
    currency: "USD",
    available: "35.00",
    held: "0.00",
    held_calls: 0,
    posted: "35.00",
  });
  const page = await ask("GET", "/ledger?limit=1");
  expect(page.body).toEqual({
    object: "list",
    data: [first.body],
    has_more: true,
    first_id: first.body.id,
    last_id: first.body.id,
  });
  const next = await ask("GET", `/ledger?limit=1&after=${page.body.last_id}`);
  expect(next.body).toMatchObject({ data: [{ reference: "Opening balance" }], has_more: false });
});
