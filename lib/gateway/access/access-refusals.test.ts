import { expect, test } from "bun:test";
import { DAY_MS, MINUTE_MS } from "@/lib/contract/durations";
import { openTemporaryDatabase } from "../database/testing/open-temporary-database";
import { pruneStore, toRetention } from "../main/background/prune-store.sql";
import { missingPermission, notFound, unauthenticated } from "../refusal";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { createAccessRefusalStore } from "./access-refusal-store.sql";
import { AccessRefusals, type RefusedAccess } from "./access-refusals";
import type { Caller } from "./caller";

async function openCounter() {
  const temporary = await openTemporaryDatabase();
  const runtime = simulatedRuntime();
  const store = createAccessRefusalStore(temporary.reads);
  const refusals = new AccessRefusals(store, { changes: await temporary.changes() }, runtime);
  return {
    ...runtime,
    refusals,
    run: temporary.run,
    async kept() {
      await refusals.flush();
      return store.pages({}).read({ limit: 10_000 });
    },
    [Symbol.asyncDispose]: () => temporary[Symbol.asyncDispose](),
  };
}

function request(operation: string, callerId?: string): RefusedAccess {
  const holder = { kind: "user", id: callerId };
  const caller = callerId ? ({ keyId: callerId, name: callerId, projectId: null, holder } as Caller) : null;
  return { caller, operation, projectId: null, ip: "192.0.2.1", requestId: `req_${operation}` };
}

const forbidden = missingPermission("api.roles.write");
const sumRefusals = (rows: readonly { readonly refusals: number }[]) =>
  rows.reduce((sum, { refusals }) => sum + refusals, 0);

test("a caller that never stops takes 1,000 rows of a day and one a minute, and each refusal is counted", async () => {
  await using gateway = await openCounter();
  let refusalCount = 0;
  for (let minute = 0; minute < 100; minute++) {
    for (let index = 0; index < 50; index++, refusalCount++)
      gateway.refusals.record(forbidden, request(`operation ${index % 40}`, "user_loud"));
    gateway.refusals.record(unauthenticated(), request("listRoles"));
    await gateway.refusals.flush();
    gateway.pass(MINUTE_MS);
  }
  const rows = await gateway.kept();
  const loud = rows.filter(({ caller }) => caller?.id === "user_loud");
  expect(loud.filter(({ operation }) => operation !== null)).toHaveLength(1_000);
  expect(loud.filter(({ operation }) => operation === null)).toHaveLength(100);
  expect(sumRefusals(loud)).toBe(refusalCount);
  expect(rows.filter(({ caller }) => caller === null)).toHaveLength(100);
});

test("counts refusals until the store takes them, and counts each once", async () => {
  await using temporary = await openTemporaryDatabase();
  const runtime = simulatedRuntime();
  const store = createAccessRefusalStore(temporary.reads);
  let isDown = true;
  const flaky: typeof store = {
    ...store,
    add: (transaction, row) => (isDown ? Promise.reject(new Error("down")) : store.add(transaction, row)),
  };
  const refusals = new AccessRefusals(flaky, { changes: await temporary.changes() }, runtime);
  refusals.record(forbidden, request("createRole", "user_1"));
  await expect(refusals.flush()).rejects.toThrow("down");
  refusals.record(forbidden, request("createRole", "user_1"));
  isDown = false;
  await Promise.all([refusals.flush(), refusals.flush()]);
  expect(await store.pages({}).read({ limit: 10 })).toMatchObject([{ refusals: 2 }]);
});

test("other errors are not counted as refused access", async () => {
  await using gateway = await openCounter();
  gateway.refusals.record(notFound("role", "role_1", "role_id"), request("retrieveRole", "user_1"));
  gateway.refusals.record(new Error("fault"), request("retrieveRole", "user_1"));
  expect(await gateway.kept()).toEqual([]);
});

test("counts are deleted as old as counts of refused calls are", async () => {
  await using gateway = await openCounter();
  gateway.refusals.record(forbidden, request("createRole", "user_1"));
  await gateway.kept();
  gateway.pass(10 * DAY_MS);
  gateway.refusals.record(forbidden, request("deleteRole", "user_1"));
  await gateway.kept();
  const options = { nowMs: gateway.clock.nowMs(), pause: async () => true };
  await pruneStore(gateway.run, toRetention({ refusal_count_days: 5 }), options);
  expect(await gateway.kept()).toMatchObject([{ operation: "deleteRole" }]);
});
