import { expect, test } from "bun:test";
import { DAY_S } from "@/lib/contract/durations";
import { joinMember } from "../../support/clients/join-member";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { fetchWithKey } from "../../support/clients/send";
import { serveForEach } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";

let gateway: ServedGateway;
let ask: ReturnType<typeof createOrganizationClient>;
let ada: { id: string; token: string };
let ben: { id: string; token: string };

serveForEach(
  async (served) => {
    gateway = served;
    ask = createOrganizationClient(gateway.baseUrl);
    ada = await joinMember(gateway, "ada@example.com", { role: "owner" });
    ben = await joinMember(gateway, "ben@example.com", { role: "owner" });
    await gateway.admin("POST", "/organization/payment_approval", { above: "100.00" });
  },
  { isExamined: true },
);

const pay = (amount: string, key = ada.token, reference = "Invoice 7") =>
  ask("POST", "/payments", { amount, reference }, key);
const posted = async () => (await gateway.admin<{ posted: string }>("GET", "/organization/balance")).posted;
const approve = (id: unknown, key: string) => ask("POST", `/pending_payments/${id}/approve`, {}, key);
const decline = (id: unknown, key: string) =>
  ask("POST", `/pending_payments/${id}/decline`, { reason: "Not ours" }, key);

test("a payment above the amount can't be used before another person approves it", async () => {
  const before = await posted();
  expect((await pay("100.00")).body).toMatchObject({ object: "ledger_entry", amount: "100.00" });
  const { body: pending } = await pay("100.000000001");
  expect(pending).toMatchObject({
    object: "pending_payment",
    status: "pending",
    amount: "100.000000001",
    recorded_by: { kind: "user", id: ada.id },
    decided_by: null,
    entry_id: null,
  });
  expect(Number(await posted())).toBe(Number(before) + 100);

  expect((await approve(pending.id, ada.token)).body.error).toMatchObject({ code: "needs_second_person" });
  expect((await approve(pending.id, gateway.adminKey)).body.error).toMatchObject({
    code: "needs_second_person",
  });
  expect(Number(await posted())).toBe(Number(before) + 100);

  const { body: entry } = await approve(pending.id, ben.token);
  expect(entry).toMatchObject({ object: "ledger_entry", kind: "payment", amount: "100.000000001" });
  expect(await posted()).toBe("210.000000001");
  const { body: approved } = await ask("GET", `/pending_payments/${pending.id}`, undefined, ben.token);
  expect(approved).toMatchObject({ status: "approved", decided_by: { id: ben.id }, entry_id: entry.id });
});

test("a payment recorded by a key can't be approved by the creator of that key or of the key that made it", async () => {
  const makeKey = async (by: string) =>
    String((await ask("POST", "/admin_api_keys", { name: "Billing" }, by)).body.value);
  const own = await makeKey(ada.token);
  for (const key of [own, await makeKey(own)]) {
    const { body: pending } = await pay("200", key);
    const refused = await approve(pending.id, ada.token);
    expect([refused.status, refused.body.error]).toMatchObject([403, { code: "needs_second_person" }]);
    expect((await approve(pending.id, ben.token)).status).toBe(200);
  }
  const { body: nobodys } = await pay("200", gateway.adminKey);
  expect((await approve(nobodys.id, ada.token)).body.error).toMatchObject({ code: "needs_second_person" });
});

test("counts one of concurrent approvals and refusals", async () => {
  const ids = await Promise.all([pay("200"), pay("300"), pay("400")]);
  for (const { body } of ids) {
    const outcomes = await Promise.all([
      approve(body.id, ben.token),
      decline(body.id, ben.token),
      approve(body.id, ben.token),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    const refused = outcomes.filter(({ status }) => status === 409);
    for (const { body: answer } of refused) expect(answer.error).toMatchObject({ code: "already_decided" });
  }
  const { data } = await gateway.admin<{ data: { status: string; amount: string }[] }>(
    "GET",
    "/organization/pending_payments",
  );
  const approved = data.filter(({ status }) => status === "approved");
  const sum = approved.reduce((total, { amount }) => total + Number(amount), 10);
  expect(Number(await posted())).toBe(sum);
});

test("a declined payment moves nothing, and says why", async () => {
  const before = await posted();
  const { body } = await pay("500");
  expect((await decline(body.id, ada.token)).body).toMatchObject({
    status: "declined",
    reason: "Not ours",
    decided_by: { id: ada.id },
  });
  expect((await approve(body.id, ben.token)).status).toBe(409);
  expect(await posted()).toBe(before);
  const listed = await ask("GET", "/pending_payments?status=pending", undefined, ben.token);
  expect(listed.body.data).toEqual([]);
});

test("the same request sent twice waits once", async () => {
  const send = () =>
    fetchWithKey(`${gateway.baseUrl}/organization/payments`, {
      key: ada.token,
      body: { amount: "250" },
      headers: { "idempotency-key": "once" },
    }).then((reply) => reply.json() as Promise<{ id: string; object: string }>);
  const [one, other] = await Promise.all([send(), send()]);
  expect(one).toEqual(other);
  expect(one.object).toBe("pending_payment");
  await approve(one.id, ben.token);
  expect(await send()).toMatchObject({ id: one.id, status: "approved" });
  expect(await posted()).toBe("260.00");
});

test("refuses changing an approved amount, and logs every step with its actor", async () => {
  const fin = await joinMember(gateway, "fin@example.com", { role: "reader" });
  await gateway.admin("POST", `/organization/users/${fin.id}/roles`, { role_id: "role_finance" });
  const refused = await ask("POST", "/payment_approval", { above: null }, fin.token);
  expect(refused.status).toBe(403);
  const { body } = await pay("700", fin.token);
  expect((await approve(body.id, fin.token)).status).toBe(403);
  expect((await approve(body.id, ada.token)).status).toBe(200);
  const { data } = await gateway.admin<{ data: { type: string; actor: object }[] }>(
    "GET",
    "/organization/audit_logs?limit=2",
  );
  expect(data.map(({ type }) => type)).toEqual(["payment.approved", "payment.requested"]);
  const actors = data.map(({ actor }) => JSON.stringify(actor));
  expect(actors[0]).toContain(ada.id);
  expect(actors[1]).toContain(fin.id);
});

test("raising the amount leaves pending payments pending; without an amount, none is pending", async () => {
  const { body } = await pay("150");
  const { body: change } = await ask("POST", "/payment_approval", { above: null }, ada.token);
  expect((await approve(change.waits, ben.token)).status).toBe(200);
  expect((await ask("GET", `/pending_payments/${body.id}`, undefined, ben.token)).body.status).toBe(
    "pending",
  );
  expect((await pay("8000000")).body.object).toBe("ledger_entry");
  expect(await gateway.admin<object>("GET", "/organization/payment_approval")).toMatchObject({ above: null });
});

test("pending payments survive a restart, and their approval too", async () => {
  const { body } = await pay("900");
  await gateway.restart();
  expect((await approve(body.id, ben.token)).status).toBe(200);
  await gateway.restart();
  expect(await posted()).toBe("910.00");
  expect((await approve(body.id, ben.token)).status).toBe(409);
});

test("a payment's note is kept through approval in the ledger and the audit log, and is part of the chain", async () => {
  const note = "Paid by Acme for October; receipt 17";
  const draft = { amount: "5.00", reference: "Invoice 8", note };
  const payOnce = async (body: object) => {
    const reply = await fetchWithKey(`${gateway.baseUrl}/organization/payments`, {
      key: ada.token,
      body,
      headers: { "idempotency-key": "note-1" },
    });
    return (await reply.json()) as { id: string; error?: object };
  };
  const entry = await payOnce(draft);
  expect(entry).toMatchObject({ object: "ledger_entry", note });
  expect((await payOnce(draft)).id).toBe(entry.id);
  expect((await payOnce({ ...draft, note: "Another" })).error).toMatchObject({
    code: "idempotency_conflict",
  });
  const long = await ask("POST", "/payments", { ...draft, note: "x".repeat(501) }, ada.token);
  expect([long.status, (long.body.error as { param: string }).param]).toEqual([400, "note"]);

  const { body: pending } = await ask("POST", "/payments", { ...draft, amount: "500" }, ada.token);
  expect(pending).toMatchObject({ object: "pending_payment", note });
  const { body: approved } = await approve(pending.id, ben.token);
  expect(approved).toMatchObject({ kind: "payment", note });
  const { body: stored } = await ask("GET", `/ledger/${approved.id}`, undefined, ben.token);
  expect(stored.note).toBe(note);
  const { body: found } = await ask("GET", "/ledger?text=PAID+BY+ACME", undefined, ben.token);
  expect((found.data as { id: string }[]).map(({ id }) => id)).toEqual([approved.id as string, entry.id]);
  expect(await findDoctorFaults(gateway)).toEqual([]);
});

test("the day on which it was paid goes from the request, the import and the approval into the ledger", async () => {
  const [day, other] = ["2026-11-03", "2026-11-04"];
  const recorded = await ask("POST", "/payments", { amount: "1", paid_on: day }, ada.token);
  expect(recorded.body).toMatchObject({ object: "ledger_entry", paid_on: day });
  const payments = [{ amount: "2", paid_on: other }, { amount: "3" }, { amount: "500", paid_on: day }];
  await ask("POST", "/payments/import", { payments }, ada.token);
  const { body: waiting } = await ask("GET", "/pending_payments", undefined, ben.token);
  const [pending] = waiting.data as { id: string; paid_on: string }[];
  expect(pending?.paid_on).toBe(day);
  expect((await approve(pending?.id, ben.token)).body).toMatchObject({ amount: "500.00", paid_on: day });
  const { body: ledger } = await ask("GET", "/ledger?kind=payment&limit=4", undefined, ada.token);
  const found = ledger.data as { amount: string; paid_on: string | null }[];
  expect(Object.fromEntries(found.map(({ amount, paid_on }) => [amount, paid_on]))).toEqual({
    "1.00": day,
    "2.00": other,
    "3.00": null,
    "500.00": day,
  });
});

test("a payment of tomorrow, or of no day, is refused by name, and repeats compare the day", async () => {
  const before = await posted();
  const { body: page } = await ask("GET", "/ledger?limit=1", undefined, ada.token);
  const [{ created_at: nowS }] = page.data as [{ created_at: number }];
  const dayAfterTomorrow = new Date((nowS + 2 * DAY_S) * 1000).toISOString().slice(0, 10);
  for (const paid_on of [dayAfterTomorrow, "2026-02-30", "3.11.2026", ""]) {
    const one = await ask("POST", "/payments", { amount: "1", paid_on }, ada.token);
    expect([one.status, one.body.error]).toMatchObject([400, { param: "paid_on" }]);
    for (const path of ["/payments/import", "/payments/import/preview"]) {
      const many = await ask(
        "POST",
        path,
        { payments: [{ amount: "1" }, { amount: "2", paid_on }] },
        ada.token,
      );
      expect([many.status, many.body.error]).toMatchObject([400, { param: "payments.1.paid_on" }]);
    }
  }
  expect(await posted()).toBe(before);
  const headers = { "idempotency-key": "once" };
  const repeat = async (paid_on: string) =>
    (
      await fetchWithKey(`${gateway.baseUrl}/organization/payments`, {
        method: "POST",
        key: ada.token,
        body: { amount: "1", paid_on },
        headers,
      })
    ).status;
  expect([await repeat("2026-11-03"), await repeat("2026-11-03"), await repeat("2026-11-04")]).toEqual([
    200, 200, 409,
  ]);
});
