import { expect, test } from "bun:test";
import { builtInRateLimits } from "@/lib/contract/calls/rate-limit-table";
import { openTemporaryDatabase, testRequest } from "../database/testing/open-temporary-database";
import { createLimitDefaultStore } from "../models/model-store.sql";
import { ProjectCache } from "../projects/projects";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { createLimitApprovalStore } from "./limit-approval-store.sql";
import { createLimitChangeStore } from "./limit-change-store.sql";
import { saveLimitChanges } from "./limit-changes";
import { createLimitPlanStore } from "./limit-plan-store.sql";
import { createPlan } from "./limit-plans";
import { createRateLimitStore } from "./rate-limit-store.sql";
import { LimitPlanCache, RateLimitCache } from "./rate-limits";

const models = Array.from({ length: 20 }, (_, index) => ({
  id: `model-${index}`,
  defaultRateLimits: builtInRateLimits,
  definedRateLimits: {},
}));
const project = { id: "proj_1", name: "One", createdAtMs: 1, archivedAtMs: null, refusesHostedTools: false };
const caller = {
  holder: { kind: "role" },
  kind: "admin_key",
  keyId: "key_1",
  name: "Key",
  permissionsIn: () => new Set(["api.rate_limits.read", "api.rate_limits.write"]),
  holdsAnywhere: () => true,
} as never;

async function openScene(store: Awaited<ReturnType<typeof openTemporaryDatabase>>) {
  await store.write((queries) =>
    queries
      .insertInto("projects")
      .values({ id: "proj_1", name: "One", created_at_ms: 1, archived_at_ms: null })
      .execute(),
  );
  const rateLimits = createRateLimitStore(store.reads);
  const limitPlans = createLimitPlanStore(store.reads);
  const limitPlanCache = new LimitPlanCache();
  const rateLimitCache = new RateLimitCache(limitPlanCache);
  return {
    changes: await store.changes(rateLimitCache.following(rateLimits), limitPlanCache.following(limitPlans)),
    rateLimits,
    rateLimitCache,
    limitPlans,
    limitPlanCache,
    limitApprovals: createLimitApprovalStore(store.reads),
    models: { limitDefaults: createLimitDefaultStore(store.reads) },
    defaultRateLimits: builtInRateLimits,
    limitChanges: createLimitChangeStore(store.reads),
    projectCache: new ProjectCache([project]),
    catalogue: {
      list: () => models,
      find: (id: string) => models.find((model) => model.id === id),
    } as never,
    runtime: simulatedRuntime(),
  };
}

const drafts = models.map(({ id }) => ({ project_id: "proj_1", model: id, max_requests_per_1_minute: 5 }));

test("a change that fails half-way changes nothing, and the next one changes all, each with an event", async () => {
  await using store = await openTemporaryDatabase();
  const scene = await openScene(store);
  const countEvents = async () => (await store.reads.selectFrom("audit_logs").select("seq").execute()).length;
  const before = await countEvents();
  const insert = () => Promise.reject(new Error("the disk is full"));
  const failing = { ...scene, limitChanges: { ...scene.limitChanges, insert } };
  await expect(saveLimitChanges(failing, testRequest, caller, drafts)).rejects.toThrow("the disk is full");
  expect(await scene.rateLimits.list()).toEqual([]);
  expect(scene.rateLimitCache.ownLimits("proj_1", "model-0")).toEqual({});
  expect(await countEvents()).toBe(before);

  const { made } = await saveLimitChanges(scene, testRequest, caller, drafts);
  expect(made.size).toBe(models.length);
  for (const { id } of models)
    expect(scene.rateLimitCache.ownLimits("proj_1", id)).toEqual({ max_requests_per_1_minute: 5 });
  expect(await countEvents()).toBe(before + models.length + 1);
});

test("a change of defaults, a plan and projects that fails at its end leaves all of them as they were", async () => {
  await using store = await openTemporaryDatabase();
  const scene = await openScene(store);
  const plan = await createPlan(scene, testRequest, "Trial");
  const mixed = [
    ...drafts,
    { plan_id: plan.id, model: null, max_requests_per_1_minute: 6 },
    { default_id: "organization", max_requests_per_1_minute: 7 },
  ];
  const insert = () => Promise.reject(new Error("the disk is full"));
  const failing = { ...scene, limitChanges: { ...scene.limitChanges, insert } };
  await expect(saveLimitChanges(failing, testRequest, caller, mixed)).rejects.toThrow("the disk is full");
  expect(await scene.rateLimits.list()).toEqual([]);
  expect(await scene.models.limitDefaults.list()).toEqual([]);
  expect((await scene.limitPlans.find(plan.id))?.limits.size).toBe(0);
  expect(scene.limitPlanCache.find(plan.id)?.limits.size).toBe(0);

  await saveLimitChanges(scene, testRequest, caller, mixed);
  expect(scene.limitPlanCache.find(plan.id)?.limits.get("")).toEqual({ max_requests_per_1_minute: 6 });
  expect(await scene.models.limitDefaults.list()).toHaveLength(1);
});
