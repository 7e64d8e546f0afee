import { beforeEach, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "@/lib/contract/durations";
import { joinMember, PASSWORD } from "../../support/clients/join-member";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { serveForEach } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";

interface Member {
  readonly id: string;
  readonly token: string;
}

let gateway: ServedGateway;
let ask: ReturnType<typeof createOrganizationClient>;
let ada: Member;
let ben: Member;

serveForEach(
  async (served) => {
    gateway = served;
  },
  { isExamined: true },
);

beforeEach(async () => {
  ask = createOrganizationClient(gateway.baseUrl);
  ada = await joinMember(gateway, "ada@example.com", { role: "owner" });
  ben = await joinMember(gateway, "ben@example.com", { role: "owner" });
  await rule("100.00", ada.token);
  gateway.pass(1_000);
});

const rule = (above: string | null, token: string) => ask("POST", "/payment_approval", { above }, token);
const readRule = async () => (await ask("GET", "/payment_approval", undefined, ben.token)).body;
const pay = async (amount: string, token: string) =>
  (await ask("POST", "/payments", { amount }, token)).body as { id: string; object: string };
const approve = (id: unknown, token: string) => ask("POST", `/pending_payments/${id}/approve`, {}, token);
const makeKey = async (by: string) =>
  String((await ask("POST", "/admin_api_keys", { name: "Billing" }, by)).body.value);

/** Invites a person with somebody's token, and accepts for them. */
async function letIn(email: string, by: string, role = "owner"): Promise<Member> {
  const { body: invite } = await ask("POST", "/invites", { email, role, projects: [] }, by);
  const accepted = { token: invite.token, name: email, password: PASSWORD };
  const { body } = await ask("POST", "/invites/accept", accepted, "");
  const { body: me } = await ask("GET", "/me", undefined, String(body.token));
  return { id: (me.user as { id: string }).id, token: String(body.token) };
}

async function expectRefused(id: unknown, token: string) {
  const { status, body } = await approve(id, token);
  expect([status, body.error]).toMatchObject([403, { code: "needs_second_person" }]);
  const { body: seen } = await ask("GET", `/pending_payments/${id}`, undefined, token);
  expect(seen).toMatchObject({ status: "pending", approval_refusal: { message: expect.any(String) } });
}

test("a key that invites a member for itself gets no second person", async () => {
  for (const key of [gateway.adminKey, await makeKey(ada.token)]) {
    const pending = await pay("50000", key);
    const { token } = await letIn(`puppet-${pending.id}@example.com`, key);
    await expectRefused(pending.id, token);
    expect((await approve(pending.id, key)).status).toBe(403);
  }
});

test("whoever holds the first key is no second person to it, however long ago it let them in", async () => {
  const pending = await pay("50000", gateway.adminKey);
  const derived = await pay("50000", await makeKey(gateway.adminKey));
  gateway.pass(30 * DAY_MS);
  const { token } = await signIn("ada@example.com");
  await expectRefused(pending.id, token);
  await expectRefused(derived.id, token);
  const cyd = await letIn("cyd@example.com", token);
  await expectRefused(pending.id, cyd.token);
  gateway.pass(8 * DAY_MS);
  expect((await approve(pending.id, (await signIn("cyd@example.com")).token)).status).toBe(200);
});

async function signIn(email: string): Promise<{ token: string }> {
  const { body } = await ask("POST", "/sign_in", { email, password: PASSWORD }, "");
  return { token: String(body.token) };
}

test("a new member can approve after seven days, and is told when", async () => {
  const cyd = await letIn("cyd@example.com", ben.token);
  const pending = await pay("200", ada.token);
  await expectRefused(pending.id, cyd.token);
  const { body } = await ask("GET", "/pending_payments", undefined, cyd.token);
  const [listed] = body.data as { approval_refusal: { until: number } }[];
  const until = listed?.approval_refusal.until ?? 0;
  expect(until * 1_000 - gateway.runtime.clock.nowMs()).toBeGreaterThan(6.9 * DAY_MS);
  gateway.pass(7 * DAY_MS + HOUR_MS);
  expect((await approve(pending.id, (await signIn("cyd@example.com")).token)).status).toBe(200);
});

test("who let a member in is no second person to what that member records", async () => {
  const cyd = await letIn("cyd@example.com", ada.token);
  const dan = await letIn("dan@example.com", cyd.token);
  for (const puppet of [cyd, dan]) {
    const pending = await pay("200", puppet.token);
    await expectRefused(pending.id, ada.token);
    expect((await approve(pending.id, ben.token)).status).toBe(200);
  }
});

const waysBackIn: Readonly<Record<string, () => Promise<unknown>>> = {
  "a link for a new password": () => ask("POST", `/users/${ben.id}/password_resets`, {}, ada.token),
  "a role that may record payments": async () => {
    await ask("POST", `/users/${ben.id}`, { role: "reader" }, ada.token);
    await ask("POST", `/users/${ben.id}`, { role: "owner" }, ada.token);
  },
  "an assigned role": () => ask("POST", `/users/${ben.id}/roles`, { role_id: "role_finance" }, ada.token),
  "a group that may record payments": async () => {
    const { body: group } = await ask("POST", "/groups", { name: "Finance" }, ada.token);
    await ask("POST", `/groups/${group.id}/roles`, { role_id: "role_finance" }, ada.token);
    await ask("POST", `/groups/${group.id}/users`, { user_id: ben.id }, ada.token);
  },
  "a role for their group": async () => {
    const { body: group } = await ask("POST", "/groups", { name: "Finance" }, ada.token);
    await ask("POST", `/groups/${group.id}/users`, { user_id: ben.id }, ada.token);
    await ask("POST", `/groups/${group.id}/roles`, { role_id: "role_finance" }, ada.token);
  },
  "a role that is given the permission": async () => {
    const permissions = ["api.ledger.read"];
    const { body: role } = await ask("POST", "/roles", { role_name: "Clerk", permissions }, ada.token);
    await ask("POST", `/users/${ben.id}/roles`, { role_id: role.id }, ada.token);
    gateway.pass(8 * DAY_MS);
    [ada, ben] = await signInBoth();
    const more = { permissions: [...permissions, "api.payments.write"] };
    await ask("POST", `/roles/${role.id}`, more, ada.token);
  },
};

async function signInBoth(): Promise<[Member, Member]> {
  return [
    { id: ada.id, ...(await signIn("ada@example.com")) },
    { id: ben.id, ...(await signIn("ben@example.com")) },
  ];
}

for (const [way, letBackIn] of Object.entries(waysBackIn)) {
  test(`another's access counts as new for seven days after ${way}`, async () => {
    const pending = await pay("200", ada.token);
    await letBackIn();
    await expectRefused(pending.id, ben.token);
    gateway.pass(8 * DAY_MS);
    [ada, ben] = await signInBoth();
    expect((await approve(pending.id, ben.token)).status).toBe(200);
  });
}

test("a member who was deleted and invited again is new", async () => {
  const pending = await pay("200", ada.token);
  await ask("DELETE", `/users/${ben.id}`, undefined, ada.token);
  await expectRefused(pending.id, (await letIn("ben@example.com", ada.token)).token);
});

test("what changes nothing of a member's access leaves them a second person", async () => {
  const { body: project } = await ask("POST", "/projects", { name: "Own" }, ada.token);
  await ask("POST", `/projects/${project.id}/users`, { user_id: ben.id, role: "member" }, ada.token);
  const { body: group } = await ask("POST", "/groups", { name: "Lunch" }, ada.token);
  await ask("POST", `/groups/${group.id}/users`, { user_id: ben.id }, ada.token);
  await letIn("cyd@example.com", ada.token);
  const pending = await pay("200", ada.token);
  expect((await approve(pending.id, ben.token)).status).toBe(200);
});

test("a higher amount, or none, waits for a second person by the old rule, and a lower one holds at once", async () => {
  for (const above of [null, "50000.00", "100.000000001"]) {
    const { body } = await rule(above, ada.token);
    expect([body.above, String(body.waits).slice(0, 4)]).toEqual(["100.00", "txn_"]);
    expect((await pay("50000", ada.token)).object).toBe("pending_payment");
    expect((await rule(null, ada.token)).body.error).toMatchObject({ code: "approval_change_pending" });
    await expectRefused(body.waits, ada.token);
    await expectRefused(body.waits, (await letIn(`p${above}@example.com`, ada.token)).token);
    const declined = await ask(
      "POST",
      `/pending_payments/${body.waits}/decline`,
      { reason: "No" },
      ben.token,
    );
    expect(declined.body).toMatchObject({ status: "declined", sets_approval: { above } });
    expect(await readRule()).toMatchObject({ above: "100.00", waits: null });
  }
  expect((await rule("20", ada.token)).body).toMatchObject({ above: "20.00", waits: null });
  const { body } = await rule("5000", ada.token);
  expect((await approve(body.waits, ben.token)).body).toMatchObject({ status: "approved", entry_id: null });
  expect(await readRule()).toMatchObject({ above: "5000.00", waits: null });
  expect((await approve(body.waits, ben.token)).status).toBe(409);
  const off = await rule(null, ben.token);
  expect((await approve(off.body.waits, ada.token)).status).toBe(200);
  expect((await pay("90000", ada.token)).object).toBe("ledger_entry");
  const { data } = await gateway.admin<{ data: { type: string }[] }>(
    "GET",
    "/organization/audit_logs?limit=3",
  );
  expect(data.map(({ type }) => type)).toEqual([
    "payment.created",
    "payment_approval.updated",
    "payment_approval.requested",
  ]);
  expect(await findDoctorFaults(gateway)).toEqual([]);
});

test("payments of one maker within a day count together, whatever they are recorded with", async () => {
  const key = await makeKey(ada.token);
  const second = await makeKey(key);
  const objects: string[] = [];
  for (const token of [ada.token, key, second, ada.token]) objects.push((await pay("40", token)).object);
  expect(objects).toEqual(["ledger_entry", "ledger_entry", "pending_payment", "pending_payment"]);
  expect((await pay("20", second)).object).toBe("ledger_entry");
  expect((await pay("0.000000001", ada.token)).object).toBe("pending_payment");
  expect((await pay("100", ben.token)).object).toBe("ledger_entry");
  gateway.pass(DAY_MS - 1_000);
  [ada, ben] = await signInBoth();
  expect((await pay("40", ada.token)).object).toBe("pending_payment");
  gateway.pass(2_000);
  expect((await pay("40", ada.token)).object).toBe("ledger_entry");
});

test("an import counts its own payments and those before, and its preview says the same", async () => {
  await pay("30", ada.token);
  const payments = Array.from({ length: 500 }, (_, index) => ({ amount: "10", reference: `Line ${index}` }));
  const preview = await ask("POST", "/payments/import/preview", { payments }, ada.token);
  const planned = (preview.body.payments as { needs_approval: boolean }[]).map((one) => one.needs_approval);
  const { body } = await ask("POST", "/payments/import", { payments }, ada.token);
  const recorded = (body.payments as { object: string }[]).map(({ object }) => object === "pending_payment");
  expect(recorded).toEqual(planned);
  expect(recorded.filter((waits) => !waits)).toHaveLength(7);
  expect((await pay("5", ada.token)).object).toBe("pending_payment");
});

test("those whom somebody has just let in count with them", async () => {
  await pay("60", ada.token);
  const cyd = await letIn("cyd@example.com", ada.token);
  const dan = await letIn("dan@example.com", await makeKey(ada.token));
  expect((await pay("30", cyd.token)).object).toBe("ledger_entry");
  expect((await pay("30", dan.token)).object).toBe("pending_payment");
  expect((await pay("30", ben.token)).object).toBe("ledger_entry");
});

test("two who let each other back in count as one, whichever of them pays", async () => {
  await ask("POST", `/users/${ben.id}/password_resets`, {}, ada.token);
  await ask("POST", `/users/${ada.id}/password_resets`, {}, ben.token);
  expect((await pay("60", ada.token)).object).toBe("ledger_entry");
  expect((await pay("60", ben.token)).object).toBe("pending_payment");
  const cyd = await letIn("cyd@example.com", ben.token);
  expect((await pay("60", cyd.token)).object).toBe("pending_payment");
});

test("a correction that gives money back counts, and a repeat with the same key counts once", async () => {
  const { id } = await pay("60", ada.token);
  const correct = (amount: string) =>
    ask("POST", `/ledger/${id}/corrections`, { amount, reason: "Twice" }, ada.token);
  expect((await correct("30")).body.object).toBe("ledger_entry");
  expect((await correct("20")).body.object).toBe("pending_payment");
  expect((await pay("10", ada.token)).object).toBe("ledger_entry");
});

test("what waited, was approved or declined doesn't count", async () => {
  const pending = await pay("101", ada.token);
  expect((await approve(pending.id, ben.token)).status).toBe(200);
  const other = await pay("102", ada.token);
  await ask("POST", `/pending_payments/${other.id}/decline`, { reason: "No" }, ben.token);
  expect((await pay("100", ada.token)).object).toBe("ledger_entry");
  await gateway.restart();
  expect((await pay("1", ada.token)).object).toBe("pending_payment");
});
