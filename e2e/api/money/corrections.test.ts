import { expect, test } from "bun:test";
import { DAY_MS } from "@/lib/contract/durations";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import type { Statement } from "@/lib/contract/operations/money/statements";
import { joinMember } from "../../support/clients/join-member";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { fetchWithKey } from "../../support/clients/send";
import { serveForEach } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let ask: ReturnType<typeof createOrganizationClient>;

serveForEach(
  (served) => {
    gateway = served;
    ask = createOrganizationClient(gateway.baseUrl);
  },
  { isExamined: true },
);

const pay = (amount: string) =>
  gateway.admin<LedgerEntry>("POST", "/organization/payments", { amount, reference: "Invoice 7" });
const correct = (id: string, body: object, token = gateway.adminKey) =>
  ask("POST", `/ledger/${id}/corrections`, body, token);
const find = (id: string) => gateway.admin<LedgerEntry>("GET", `/organization/ledger/${id}`);
const posted = async () => (await gateway.admin<{ posted: string }>("GET", "/organization/balance")).posted;
const statement = (month: string) => gateway.admin<Statement>("GET", `/organization/statements/${month}`);
const reason = "Recorded twice";

test("a payment is corrected by an entry that names it, in part and then in full", async () => {
  const payment = await pay("25.00");
  const { body: part } = await correct(payment.id, { amount: "10", reason });
  expect(part).toMatchObject({
    object: "ledger_entry",
    kind: "correction",
    amount: "10.00",
    balance_change: "-10.00",
    corrects: payment.id,
    reason,
    corrected: null,
  });
  expect(await find(payment.id)).toMatchObject({ amount: "25.00", corrected: "10.00", corrects: null });
  expect((await correct(payment.id, { amount: "15.01", reason })).body.error).toMatchObject({
    param: "amount",
    message: expect.stringContaining("15.00 USD"),
  });
  expect((await correct(payment.id, { reason })).body).toMatchObject({ amount: "15.00" });
  expect((await correct(payment.id, { reason })).body.error).toMatchObject({ code: "not_correctable" });
  expect(await posted()).toBe("10.00");
  const { data } = await gateway.admin<{ data: LedgerEntry[] }>(
    "GET",
    `/organization/ledger?corrects=${payment.id}`,
  );
  expect(data.map(({ amount }) => amount)).toEqual(["15.00", "10.00"]);
  const found = await gateway.admin<{ data: LedgerEntry[] }>(
    "GET",
    "/organization/ledger?kind=correction&text=recorded+TWICE",
  );
  expect(found.data).toHaveLength(2);
});

test("a reason is required, and an amount above zero; nothing else is accepted", async () => {
  const { id } = await pay("25.00");
  const params = [
    {},
    { reason: "" },
    { reason, amount: "0" },
    { reason, amount: "-1" },
    { reason, corrects: id },
  ];
  for (const body of params) expect((await correct(id, body)).status).toBe(400);
  expect(await posted()).toBe("35.00");
});

test("a correction lands in the open month and says what of the closed one it corrects", async () => {
  const payment = await pay("25.00");
  const closed = new Date(gateway.runtime.clock.nowMs()).toISOString().slice(0, 7);
  gateway.pass(32 * DAY_MS);
  await gateway.admin("POST", `/organization/statements/${closed}/close`);
  const before = await statement(closed);
  const { body: correction } = await correct(payment.id, { amount: "5.00", reason });
  expect(await statement(closed)).toEqual(before);
  const open = await statement(new Date(gateway.runtime.clock.nowMs()).toISOString().slice(0, 7));
  expect(open).toMatchObject({ opening_balance: "35.00", corrections: "-5.00", closing_balance: "30.00" });
  expect(open.correction_entries).toMatchObject([
    {
      id: correction.id,
      amount: "-5.00",
      reason,
      corrects: payment.id,
      corrected_kind: "payment",
      corrected_at: payment.created_at,
      corrected_reference: "Invoice 7",
      project_id: null,
    },
  ]);
});

test("above the amount that is set a correction waits, and is judged again when it is approved", async () => {
  const ada = await joinMember(gateway, "ada@example.com", { role: "owner" });
  const ben = await joinMember(gateway, "ben@example.com", { role: "owner" });
  const payment = await pay("300.00");
  await gateway.admin("POST", "/organization/payment_approval", { above: "100.00" });
  const { body: pending } = await correct(payment.id, { amount: "200", reason }, ada.token);
  expect(pending).toMatchObject({
    object: "pending_payment",
    status: "pending",
    corrects: payment.id,
    correction_reason: reason,
    reason: null,
  });
  expect(await posted()).toBe("310.00");
  const approve = (token: string) => ask("POST", `/pending_payments/${pending.id}/approve`, {}, token);
  expect((await approve(ada.token)).body.error).toMatchObject({ code: "needs_second_person" });
  const smaller = await correct(payment.id, { amount: "100", reason }, ada.token);
  expect(smaller.body).toMatchObject({ kind: "correction" });
  const second = await correct(payment.id, { amount: "1", reason }, ben.token);
  expect((await approve(ben.token)).body.error).toMatchObject({ param: "amount" });
  expect(second.status).toBe(200);
  const declined = await ask(
    "POST",
    `/pending_payments/${pending.id}/decline`,
    { reason: "Less is left" },
    ben.token,
  );
  expect(declined.body).toMatchObject({ status: "declined" });
  const { body: other } = await correct(payment.id, { amount: "150", reason }, ada.token);
  const approved = await ask("POST", `/pending_payments/${other.id}/approve`, {}, ben.token);
  expect(approved.body).toMatchObject({ kind: "correction", amount: "150.00", corrects: payment.id });
  expect(await posted()).toBe("59.00");
  const { data } = await gateway.admin<{ data: { type: string }[] }>(
    "GET",
    "/organization/audit_logs?limit=4",
  );
  expect(data.map(({ type }) => type)).toEqual([
    "correction.approved",
    "correction.requested",
    "correction.declined",
    "correction.created",
  ]);
});

test("a person who may only record payments can't correct them; a repeated request corrects once", async () => {
  const payment = await pay("25.00");
  const fin = await joinMember(gateway, "fin@example.com", { role: "reader" });
  expect((await correct(payment.id, { reason }, fin.token)).body.error).toMatchObject({
    permission: "api.corrections.write",
  });
  const once = () =>
    fetchWithKey(`${gateway.baseUrl}/organization/ledger/${payment.id}/corrections`, {
      key: gateway.adminKey,
      body: { reason },
      headers: { "idempotency-key": "once" },
    }).then((reply) => reply.json() as Promise<{ id: string }>);
  const [one, other] = await Promise.all([once(), once()]);
  expect(one).toEqual(other);
  expect(await posted()).toBe("10.00");
});
