import { expect, test } from "bun:test";
import { DAY_MS } from "@/lib/contract/durations";
import type { Statement, StatementHead } from "@/lib/contract/operations/money/statements";
import { joinMember } from "../../support/clients/join-member";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { fetchWithKey } from "../../support/clients/send";
import { serveForEach } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";
import { dropTrigger, queryDatabase } from "../../support/stored-data/query-database";

let gateway: ServedGateway;
let ask: ReturnType<typeof createOrganizationClient>;

/** The gateway's clock starts on 15 January 2027, with a payment of 10.00. */
serveForEach((served) => {
  gateway = served;
  ask = createOrganizationClient(gateway.baseUrl);
});

async function call(words: string): Promise<void> {
  const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
    key: gateway.key,
    body: { model: "sandbox-echo", messages: [{ role: "user", content: words }] },
  });
  expect(reply.status).toBe(200);
  await reply.text();
}

const pay = (amount: string, reference: string) =>
  gateway.admin("POST", "/organization/payments", { amount, reference });
const list = async () =>
  (await gateway.admin<{ data: StatementHead[] }>("GET", "/organization/statements")).data;
const find = (month: string) => gateway.admin<Statement>("GET", `/organization/statements/${month}`);
const close = (month: string, token = gateway.adminKey) =>
  ask("POST", `/statements/${month}/close`, {}, token);

test("each month begins with what the one before ended with, and a closed one says the same for good", async () => {
  await call("one two");
  gateway.pass(20 * DAY_MS);
  await pay("5.00", "Invoice 7");
  await call("one two three four");
  gateway.pass(60 * DAY_MS);

  expect((await list()).map(({ id, state, opening_balance }) => [id, state, opening_balance])).toEqual([
    ["2027-04", "current", "14.999991"],
    ["2027-03", "open", "14.999991"],
    ["2027-02", "open", "9.999997"],
    ["2027-01", "open", "0.00"],
  ]);
  expect(await find("2027-02")).toMatchObject({
    payments: "5.00",
    charges: "0.000006",
    closing_balance: "14.999991",
    entries: 2,
    payment_entries: [{ amount: "5.00", reference: "Invoice 7" }],
    lines: [
      {
        project_id: gateway.projectId,
        model: "sandbox-echo",
        calls: 1,
        prompt_tokens: 4,
        charges: "0.000006",
      },
    ],
  });

  const ada = await joinMember(gateway, "ada@example.com", { role: "finance" });
  const { status, body } = await close("2027-01", ada.token);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id: "2027-01",
    state: "closed",
    payments: "10.00",
    charges: "0.000003",
    closing_balance: "9.999997",
    closed_by: { kind: "user", id: ada.id },
  });
  expect(body.digest).toMatch(/^[0-9a-f]{64}$/);
  await gateway.admin("POST", `/organization/projects/${gateway.projectId}`, { name: "Renamed" });
  await call("later");
  expect(await find("2027-01")).toEqual(body as Statement);
  expect((await list()).at(-1)).toMatchObject({ id: "2027-01", state: "closed", digest: body.digest });
  await gateway.restart();
  expect(await find("2027-01")).toEqual(body as Statement);
  expect((await find("2027-02")).lines[0]?.project_name).toBe("Renamed");
  expect((await close("2027-02")).status).toBe(200);
  expect(await findDoctorFaults(gateway)).toEqual([]);
});

test("a month is closed once, in its order, and not before it is over", async () => {
  gateway.pass(20 * DAY_MS);
  await pay("1.00", "February");
  const refused = async (month: string) => {
    const { status, body } = await close(month);
    return [status, (body.error as { code: string }).code];
  };
  expect(await refused("2027-02")).toEqual([409, "month_not_ready"]);
  gateway.pass(30 * DAY_MS);
  expect(await refused("2027-02")).toEqual([409, "month_not_ready"]);
  expect(await refused("2026-12")).toEqual([404, "object_not_found"]);
  expect(await refused("2027-13")).toEqual([400, "invalid_value"]);
  const outcomes = await Promise.all([close("2027-01"), close("2027-01"), close("2027-01")]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  expect(await refused("2027-01")).toEqual([409, "month_closed"]);
  expect((await close("2027-02")).status).toBe(200);
  expect(await refused("2027-03")).toEqual([409, "month_not_ready"]);

  const { data } = await gateway.admin<{ data: { type: string; "statement.closed"?: { id: string } }[] }>(
    "GET",
    "/organization/audit_logs",
  );
  const closings = data.filter(({ type }) => type === "statement.closed");
  expect(closings.map((event) => event["statement.closed"]?.id)).toEqual(["2027-02", "2027-01"]);
  expect(await findDoctorFaults(gateway)).toEqual([]);
});

test("an entry that a process with a slow clock adds to a closed month counts in the next one", async () => {
  gateway.pass(20 * DAY_MS);
  expect((await close("2027-01")).status).toBe(200);
  gateway.stepWallClock(-10 * DAY_MS);
  await pay("3.00", "Late");
  gateway.stepWallClock(10 * DAY_MS);
  expect(await find("2027-01")).toMatchObject({ payments: "10.00", closing_balance: "10.00" });
  expect(await find("2027-02")).toMatchObject({ opening_balance: "10.00", payments: "3.00" });
  expect(await findDoctorFaults(gateway)).toEqual([]);
});

test("a statement or a line of it that was altered is named", async () => {
  await call("one two");
  gateway.pass(20 * DAY_MS);
  await close("2027-01");
  let faults = "";
  await gateway.restart(async () => {
    const run = (statement: string) => queryDatabase(gateway, statement);
    await expect(run("UPDATE statements SET digest = digest")).rejects.toThrow("immutable");
    await expect(run("DELETE FROM statements")).rejects.toThrow("immutable");
    await dropTrigger(gateway, "statements_are_not_changed", "statements");
    await run("UPDATE statements SET figures = replace(figures, '\"calls\":1', '\"calls\":2')");
    faults = (await findDoctorFaults(gateway)).join("\n");
  });
  expect(faults).toContain("statements_are_not_changed is gone");
  expect(faults).toContain("The statement of 2027-01 is not what was closed");
  expect(faults).toContain("says 2 calls");
});
