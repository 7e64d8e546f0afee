import { expect, test } from "bun:test";
import fc from "fast-check";
import { DAY_MS } from "@/lib/contract/durations";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import type { PaymentImport, PaymentImportPreview } from "@/lib/contract/operations/money/payment-import";
import type { Statement } from "@/lib/contract/operations/money/statements";
import { joinMember } from "../../support/clients/join-member";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { send } from "../../support/clients/send";
import { serveForEach } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

interface Draft {
  amount: string;
  reference?: string | null;
  note?: string | null;
  allow_duplicate?: boolean;
}

let gateway: ServedGateway;
let ask: ReturnType<typeof createOrganizationClient>;

/** The gateway's clock starts on 15 January 2027, with a payment of 10.00. */
serveForEach(
  (served) => {
    gateway = served;
    ask = createOrganizationClient(gateway.baseUrl);
  },
  { isExamined: true },
);

const post = (path: string, body: object, { key = gateway.adminKey, once = "" } = {}) =>
  send(`${gateway.baseUrl}/organization${path}`, {
    method: "POST",
    key,
    body,
    headers: once ? { "idempotency-key": once } : {},
  });
const importAll = (payments: readonly Draft[], options = {}) =>
  post("/payments/import", { payments }, options);
const record = async (payments: readonly Draft[], options = {}) => {
  const { status, body } = await importAll(payments, options);
  expect([status, body]).toMatchObject([200, { object: "payment_import" }]);
  return body as unknown as PaymentImport;
};
const refusal = async (payments: readonly Draft[], options = {}) => {
  const { status, body } = await importAll(payments, options);
  return { status, ...(body.error as { param: string; code: string; message: string }) };
};
const preview = async (payments: readonly Draft[]) =>
  (await post("/payments/import/preview", { payments })).body as unknown as PaymentImportPreview;
const posted = async () => (await gateway.admin<{ posted: string }>("GET", "/organization/balance")).posted;
const ledger = async () =>
  (await gateway.admin<{ data: LedgerEntry[] }>("GET", "/organization/ledger?kind=payment&limit=1000")).data;
const events = async (type: string) => {
  const path = `/organization/audit_logs?event_types[]=${type}&limit=100`;
  return (await gateway.admin<{ data: { type: string }[] }>("GET", path)).data;
};

const three: Draft[] = [
  { amount: "1234.50", reference: "Invoice 1", note: "October" },
  { amount: "0.000000001", reference: "Invoice 2" },
  { amount: "25", note: "Cash" },
];

test("all payments of an import are recorded in their order, each with its audit event", async () => {
  const before = await events("payment.created");
  const made = await record(three);
  expect(made).toMatchObject({
    currency: "USD",
    repeated: false,
    payments: [
      { object: "ledger_entry", amount: "1234.50", reference: "Invoice 1" },
      { object: "ledger_entry", amount: "0.000000001", reference: "Invoice 2" },
      { object: "ledger_entry", amount: "25.00", reference: null },
    ],
  });
  expect(await posted()).toBe("1269.500000001");
  const entries = (await ledger()).toReversed().slice(1);
  expect(entries.map(({ id }) => id)).toEqual(made.payments.map(({ id }) => id));
  expect(entries).toMatchObject([
    { amount: "1234.50", reference: "Invoice 1", note: "October", balance_after: "1244.50" },
    { amount: "0.000000001", reference: "Invoice 2", note: null, balance_after: "1244.500000001" },
    { amount: "25.00", reference: null, note: "Cash", balance_after: "1269.500000001" },
  ]);
  expect((await events("payment.created")).length - before.length).toBe(3);
});

test("one bad payment refuses the import, which names it and records nothing", async () => {
  for (const [bad, param] of [
    [{ amount: "0" }, "payments.1.amount"],
    [{ amount: "-1" }, "payments.1.amount"],
    [{ amount: "1,5" }, "payments.1.amount"],
    [{ amount: "1", reference: "x".repeat(201) }, "payments.1.reference"],
    [{ amount: "1", note: "a\u0000b" }, "payments.1.note"],
    [{ amount: "1", date: "2027-01-01" }, "payments.1.date"],
  ] as const) {
    const payments = [{ amount: "5" }, bad, { amount: "7" }] as Draft[];
    expect(await refusal(payments)).toMatchObject({ status: 400, param });
  }
  expect(await refusal([])).toMatchObject({ status: 400, param: "payments" });
  const many = Array.from({ length: 1_001 }, (_, index) => ({ amount: `${index + 1}` }));
  expect(await refusal(many)).toMatchObject({ status: 400, param: "payments" });
  const most = [{ amount: "8999999999" }, { amount: "1" }];
  expect(await refusal(most)).toMatchObject({ status: 400, param: "payments" });
  expect(await posted()).toBe("10.00");
  expect(await ledger()).toHaveLength(1);
});

test("the most payments of one import are recorded", async () => {
  const note = "ü".repeat(500);
  const payments = Array.from({ length: 1_000 }, (_, index) => ({
    amount: "0.01",
    reference: `${"Ü".repeat(190)} ${index}`,
    note,
  }));
  expect((await record(payments)).payments).toHaveLength(1_000);
  expect(await posted()).toBe("20.00");
  const planned = await preview(payments);
  expect(planned.payments.every((payment) => payment.duplicate_of !== null)).toBe(true);
});

test("the same import twice records nothing twice, with a key or without one", async () => {
  const first = await record(three, { once: "same" });
  const again = await record(three, { once: "same" });
  expect(again).toEqual({ ...first, repeated: true });
  expect(await refusal(three)).toMatchObject({
    status: 409,
    code: "duplicate_payment",
    param: "payments.0",
    message: expect.stringContaining(`payments.0 equals ${first.payments[0]?.id}`),
  });
  expect(await refusal(three.slice(1), { once: "same" })).toMatchObject({ code: "idempotency_conflict" });
  expect(await posted()).toBe("1269.500000001");
  gateway.pass(DAY_MS + 1);
  expect(await refusal(three, { once: "same" })).toMatchObject({ code: "duplicate_payment" });
  expect(await posted()).toBe("1269.500000001");
});

test("of two imports of the same payments at once, one records them", async () => {
  const outcomes = await Promise.all([importAll(three), importAll(three), importAll(three)]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  const keyed = [{ amount: "3.00", reference: "Once" }];
  const repeats = await Promise.all([record(keyed, { once: "k" }), record(keyed, { once: "k" })]);
  expect(repeats.map(({ repeated }) => repeated).toSorted()).toEqual([false, true]);
  expect(await posted()).toBe("1272.500000001");
});

test("a payment equal to an earlier one is recorded only if it is marked as intended", async () => {
  await gateway.admin("POST", "/organization/payments", { amount: "7.00", reference: "Straße 1" });
  const twice = [
    { amount: "7", reference: "strasse 1" },
    { amount: "7.000", reference: " STRAße 1 " },
    { amount: "7.01", reference: "Straße 1" },
    { amount: "7.01", reference: "STRAßE 1", note: "Other" },
    { amount: "9", note: "Cash" },
    { amount: "9", note: "cash" },
    { amount: "9", note: "Card" },
  ];
  const planned = await preview(twice);
  expect(planned.payments.map(({ duplicate_of, repeats }) => [duplicate_of?.object, repeats])).toEqual([
    [undefined, null],
    ["ledger_entry", null],
    [undefined, null],
    [undefined, 2],
    [undefined, null],
    [undefined, 4],
    [undefined, null],
  ]);
  const { message } = await refusal(twice);
  expect(message).toContain("payments.3 equals payments.2, payments.5 equals payments.4");
  expect(await posted()).toBe("17.00");
  const meant = twice.map((payment, index) => ({
    ...payment,
    allow_duplicate: [1, 3, 5].includes(index),
  }));
  await record(meant);
  expect(await posted()).toBe("72.02");
});

test("one payment that equals an earlier one is refused where allow_duplicate is false, and else recorded", async () => {
  const pay = (draft: Draft, options = {}) => post("/payments", draft, options);
  const invoice = { amount: "7.00", reference: "Straße 1" };
  const { body: first } = await pay({ ...invoice, allow_duplicate: false }, { once: "k" });
  expect(first).toMatchObject({ object: "ledger_entry", amount: "7.00" });
  const again = await pay({ amount: "7", reference: " STRAße 1 ", allow_duplicate: false });
  expect([again.status, again.body.error]).toMatchObject([
    409,
    {
      param: "allow_duplicate",
      code: "duplicate_payment",
      message: expect.stringContaining(String(first.id)),
    },
  ]);
  expect((await pay({ ...invoice, allow_duplicate: false }, { once: "k" })).body.id).toBe(first.id);
  expect((await pay({ ...invoice, allow_duplicate: true }, { once: "k" })).status).toBe(409);
  expect(await posted()).toBe("17.00");
  expect((await pay({ ...invoice, allow_duplicate: true })).status).toBe(200);
  expect((await pay(invoice)).status).toBe(200);
  expect((await pay({ ...invoice, reference: "Straße 2", allow_duplicate: false })).status).toBe(200);
  expect(await posted()).toBe("38.00");
  const both = { amount: "3.00", allow_duplicate: false };
  const outcomes = await Promise.all([pay(both), pay(both), pay(both)]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
});

test("a payment that was taken back or declined may be recorded again, and one that waits may not", async () => {
  const ada = await joinMember(gateway, "ada@example.com", { role: "owner" });
  const ben = await joinMember(gateway, "ben@example.com", { role: "owner" });
  const payment = { amount: "50.00", reference: "Invoice 9" };
  const { payments } = await record([payment]);
  const correct = (amount: string) =>
    ask("POST", `/ledger/${payments[0]?.id}/corrections`, { amount, reason: "x" }, gateway.adminKey);
  expect((await correct("49.00")).status).toBe(200);
  expect(await refusal([payment])).toMatchObject({ code: "duplicate_payment" });
  expect((await correct("1.00")).status).toBe(200);
  await gateway.admin("POST", "/organization/payment_approval", { above: "20" });

  const waiting = await record([payment, { amount: "20.00", reference: "Small" }]);
  expect(waiting.payments.map(({ object }) => object)).toEqual(["pending_payment", "ledger_entry"]);
  expect(await posted()).toBe("30.00");
  const id = waiting.payments[0]?.id;
  expect((await preview([payment])).payments).toMatchObject([
    { needs_approval: true, duplicate_of: { object: "pending_payment", id } },
  ]);
  expect(await refusal([payment])).toMatchObject({ code: "duplicate_payment" });
  expect(await events("payment.requested")).toHaveLength(1);

  const declined = await ask("POST", `/pending_payments/${id}/decline`, { reason: "No" }, ben.token);
  expect(declined.status).toBe(200);
  const { body: again } = await ask("POST", "/payments/import", { payments: [payment] }, ada.token);
  const [made] = again.payments as PaymentImport["payments"];
  const approved = await ask("POST", `/pending_payments/${made?.id}/approve`, {}, ben.token);
  expect(approved.body).toMatchObject({ kind: "payment", amount: "50.00", reference: "Invoice 9" });
  expect(await posted()).toBe("80.00");
});

test("an import while its month is closed is in one statement as a whole", async () => {
  gateway.pass(20 * DAY_MS);
  const payments = Array.from({ length: 200 }, (_, index) => ({ amount: "1", reference: `No. ${index}` }));
  const [closed] = await Promise.all([
    ask("POST", "/statements/2027-01/close", {}, gateway.adminKey),
    record(payments),
  ]);
  expect(closed.status).toBe(200);
  const months = await Promise.all(
    ["2027-01", "2027-02"].map((month) =>
      gateway.admin<Statement>("GET", `/organization/statements/${month}`),
    ),
  );
  expect(months.map((month) => month.payments)).toEqual(["10.00", "200.00"]);
  expect(months.map((month) => month.closing_balance)).toEqual(["10.00", "210.00"]);
});

test("what the preview finds is what the import refuses", async () => {
  const draft = fc.record({
    amount: fc.constantFrom("1", "1.0", "2.5"),
    reference: fc.constantFrom(null, "", "A", "a", "É", "e\u0301", "B"),
    note: fc.constantFrom(null, "x", "X"),
    allow_duplicate: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(draft, { minLength: 1, maxLength: 6 }), async (payments) => {
      const planned = await preview(
        payments.map(({ amount, reference, note }) => ({ amount, reference, note })),
      );
      const refused = planned.payments.some(
        ({ duplicate_of, repeats }, index) =>
          (duplicate_of !== null || repeats !== null) && !payments[index]?.allow_duplicate,
      );
      expect((await importAll(payments)).status).toBe(refused ? 409 : 200);
    }),
    { numRuns: 40 },
  );
});
