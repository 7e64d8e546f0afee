import { expect, test } from "bun:test";
import { builtInRateLimits, rateLimitRows } from "@/lib/contract/calls/rate-limit-table";
import type { LimitEdit } from "@/lib/contract/operations/models/rate-limits";
import { openTemporaryDatabase, testRequest } from "../database/testing/open-temporary-database";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { createLimitApprovalStore } from "./limit-approval-store.sql";
import { createRateLimitStore } from "./rate-limit-store.sql";
import { findLimitedModel, type LimitedModel, RateLimitCache, saveRateLimit } from "./rate-limits";

const defaultRateLimits = { ...builtInRateLimits, max_requests_per_1_day: 50 };
const model: LimitedModel = { id: "sandbox-echo", defaultRateLimits };

async function openScene(store: Awaited<ReturnType<typeof openTemporaryDatabase>>) {
  const rateLimits = createRateLimitStore(store.reads);
  const rateLimitCache = new RateLimitCache();
  const changes = await store.changes(rateLimitCache.following(rateLimits));
  const catalogue = { find: (id: string) => (id === model.id ? model : undefined) };
  const context = {
    changes,
    limitApprovals: createLimitApprovalStore(store.reads),
    rateLimits,
    rateLimitCache,
    catalogue,
    runtime: simulatedRuntime(),
  };
  const scope = { projectId: "proj_1", rateLimitId: "rl_sandbox-echo" };
  const save = async (change: LimitEdit) => (await saveRateLimit(context, testRequest, scope, change)).values;
  return { save, rateLimits, rateLimitCache };
}

async function openWithProject(store: Awaited<ReturnType<typeof openTemporaryDatabase>>) {
  const project = { id: "proj_1", name: "One", created_at_ms: 1, archived_at_ms: null };
  await store.write((queries) => queries.insertInto("projects").values(project).execute());
  return openScene(store);
}

test("a change applies at once, only to that project and model, and after a restart", async () => {
  await using store = await openTemporaryDatabase();
  const { save, rateLimitCache } = await openWithProject(store);
  const saved = await save({ max_requests_per_1_minute: 3 });
  expect(saved).toEqual({ ...defaultRateLimits, max_requests_per_1_minute: 3 });
  expect(rateLimitCache.effectiveLimits("proj_1", model)).toEqual(saved);
  expect(rateLimitCache.effectiveLimits("proj_2", model)).toBe(defaultRateLimits);
  expect(rateLimitCache.effectiveLimits("proj_1", { ...model, id: "other" })).toBe(defaultRateLimits);
  await store.reopen();
  expect((await openScene(store)).rateLimitCache.effectiveLimits("proj_1", model)).toEqual(saved);
});

test("absent fields stay, null removes, 0 and the largest number are kept exactly", async () => {
  await using store = await openTemporaryDatabase();
  const { save } = await openWithProject(store);
  await save({ max_requests_per_1_minute: 0 });
  await save({ max_tokens_per_1_minute: Number.MAX_SAFE_INTEGER });
  await save({ max_requests_per_1_day: null });
  await store.reopen();
  expect((await openScene(store)).rateLimitCache.effectiveLimits("proj_1", model)).toEqual({
    ...defaultRateLimits,
    max_requests_per_1_minute: 0,
    max_tokens_per_1_minute: 9007199254740991,
    max_requests_per_1_day: null,
  });
});

test("the store has a column for each limit, empty only where there can be no limit", async () => {
  await using store = await openTemporaryDatabase();
  const tables = await store.reads.introspection.getTables();
  const columns = tables
    .find(({ name }) => name === "rate_limits")
    ?.columns.filter(({ name }) => !["project_id", "model", "updated_at_ms", "own_fields"].includes(name))
    .map(({ name, isNullable }) => ({ name, isNullable }));
  const tableColumns = rateLimitRows.map(({ field, removable }) => ({
    name: field,
    isNullable: removable,
  }));
  const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name);
  expect(columns?.toSorted(byName)).toEqual(tableColumns.toSorted(byName));
});

test("preserves each field of concurrent changes", async () => {
  await using store = await openTemporaryDatabase();
  const context = await openWithProject(store);
  await Promise.all([
    context.save({ max_requests_per_1_minute: 1 }),
    context.save({ max_tokens_per_1_minute: 2 }),
    context.save({ max_images_per_1_minute: 3 }),
  ]);
  const expected = {
    max_requests_per_1_minute: 1,
    max_tokens_per_1_minute: 2,
    max_images_per_1_minute: 3,
  };
  expect(context.rateLimitCache.effectiveLimits("proj_1", model)).toMatchObject(expected);
  expect((await context.rateLimits.list())[0]?.own).toEqual(expected);
});

test("a rate limit is named by rl_<model> or by the model, even one that begins with rl_", () => {
  const models = ["x", "rl_x", "rl_alone"].map((id) => ({ id, defaultRateLimits }));
  const catalogue = { find: (id: string) => models.find((limitedModel) => limitedModel.id === id) };
  const findId = (id: string) => findLimitedModel(catalogue, id).id;
  expect(["rl_x", "x", "rl_rl_x", "rl_rl_alone", "rl_alone"].map(findId)).toEqual([
    "x",
    "x",
    "rl_x",
    "rl_alone",
    "rl_alone",
  ]);
  expect(() => findId("rl_none")).toThrow('There is no rate limit "rl_none"');
});

test("a limit that wasn't set by hand follows its default, and one set back to the default does again", async () => {
  await using store = await openTemporaryDatabase();
  const { save, rateLimits, rateLimitCache } = await openWithProject(store);
  await save({ max_requests_per_1_minute: 3, max_requests_per_1_day: null });
  const later = { ...model, defaultRateLimits: { ...builtInRateLimits, max_tokens_per_1_minute: 7 } };
  expect(rateLimitCache.effectiveLimits("proj_1", later)).toEqual({
    ...builtInRateLimits,
    max_requests_per_1_minute: 3,
    max_tokens_per_1_minute: 7,
    max_requests_per_1_day: null,
  });
  await save({ max_requests_per_1_day: "default" });
  expect(rateLimitCache.effectiveLimits("proj_1", model)).toMatchObject({
    max_requests_per_1_minute: 3,
    max_requests_per_1_day: 50,
  });
  await save({ max_requests_per_1_minute: "default" });
  expect(rateLimitCache.effectiveLimits("proj_1", model)).toBe(defaultRateLimits);
  expect(await rateLimits.list()).toEqual([]);
});
