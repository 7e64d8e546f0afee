import {
  builtInRateLimits,
  editLimits,
  ORGANIZATION_DEFAULTS,
  rateLimitFields,
} from "@/lib/contract/calls/rate-limit-table";
import { DAY_MS } from "@/lib/contract/durations";
import { newId } from "@/lib/contract/ids";
import type { DraftedLimitChange } from "@/lib/contract/operations/models/rate-limit-changes";
import { type Caller, toKeyCreator } from "../access/caller";
import { type ChangeRequest, change, withEventOfEach } from "../changes/change";
import type { Transaction } from "../changes/transactions.sql";
import { findOwn } from "../models/limit-defaults";
import type { StoredLimitDefaults } from "../models/model-store.sql";
import { conflict, missingPermission, notFound } from "../refusal";
import type { LimitApprovalStore } from "./limit-approval-store.sql";
import { useApproval } from "./limit-approvals";
import {
  buildCellKey,
  type LimitCell,
  type LimitChangeStore,
  type LimitChangesRecord,
  type LimitPlace,
  type SavedLimitChange,
} from "./limit-change-store.sql";
import { EVERY_MODEL, type LimitPlanStore } from "./limit-plan-store.sql";
import {
  describePair,
  type LimitTarget,
  type LimitTargetContext,
  PLANNED_AT_ONCE,
  type PlannedChange,
  placeOf,
  planChanges,
  readEdit,
  versionOfPair,
} from "./plan-limit-changes";
import type { OwnLimits } from "./rate-limit-store.sql";
import type { RateLimitCache, RateLimitContext } from "./rate-limits";

export const UNDO_MS = 30 * DAY_MS;

export interface LimitChangeContext extends RateLimitContext, LimitTargetContext {
  readonly catalogue: LimitTargetContext["catalogue"];
  readonly rateLimitCache: RateLimitCache;
  readonly limitChanges: LimitChangeStore;
  readonly limitPlans: LimitPlanStore;
  readonly limitApprovals: LimitApprovalStore;
}

/** A change, and the versions of what it changed, in its order. */
interface MadeLimitChanges {
  readonly made: LimitChangesRecord;
  /** Null for a plan or a default, whose version is known once the change is committed. */
  readonly versions: readonly (string | null)[];
}

const eachLimit = { object: "rate_limits", type: "rate_limit.updated" } as const;

/**
 * Changes many limits at once, all or none. They apply from the next call on.
 * @throws Refusal 400, 403 or 404 that names the change by its position; 403 if it needs an approval that it hasn't;
 * 412 with those that others have changed.
 */
export function saveLimitChanges(
  context: LimitChangeContext,
  request: ChangeRequest,
  caller: Caller,
  drafts: readonly DraftedLimitChange[],
): Promise<MadeLimitChanges> {
  return change(context, withEventOfEach(eachLimit, request), async (transaction) => {
    const planned = await planChanges(context, caller, drafts);
    await useApproval(context, transaction, toKeyCreator(caller), planned);
    return write(context, transaction, planned, { caller, undoes: null });
  });
}

async function write(
  context: LimitChangeContext,
  transaction: Transaction,
  planned: readonly PlannedChange[],
  { caller, undoes }: { caller: Caller; undoes: string | null },
): Promise<MadeLimitChanges> {
  const { limitChanges, runtime } = context;
  const createdAtMs = runtime.clock.nowMs();
  const results: ReturnType<typeof applyPlan>[] = [];
  for (const plan of planned) {
    if (results.length % PLANNED_AT_ONCE === 0) await new Promise(setImmediate);
    results.push(applyPlan(context, plan));
  }
  await save(
    context,
    transaction,
    results.filter(({ isChanged }) => isChanged),
    createdAtMs,
  );
  const made: LimitChangesRecord = {
    id: newId("rlc", createdAtMs, runtime.random),
    createdAtMs,
    maker: toKeyCreator(caller),
    size: results.length,
    changes: results.map(({ saved }) => saved),
    undoes,
    undoneBy: null,
  };
  await limitChanges.insert(transaction, made);
  return { made, versions: results.map(({ version }) => version) };
}

/** Writes each target's limits where they are kept. */
async function save(
  { rateLimits, limitPlans, models }: LimitChangeContext,
  transaction: Transaction,
  results: readonly ReturnType<typeof applyPlan>[],
  nowMs: number,
): Promise<void> {
  const drafts: Parameters<typeof rateLimits.save>[1][number][] = [];
  for (const { target, own, values } of results) {
    if (target.kind === "project")
      drafts.push({ projectId: target.project.id, model: target.model.id, own, values });
    else if (target.kind === "plan")
      await limitPlans.saveLimits(transaction, { planId: target.plan.id, model: target.modelId, own }, nowMs);
    else
      await models.limitDefaults.save(
        transaction,
        { id: target.modelId || ORGANIZATION_DEFAULTS, own },
        nowMs,
      );
  }
  await rateLimits.save(transaction, drafts, nowMs);
}

function applyPlan({ rateLimitCache }: LimitChangeContext, { target, edit, own }: PlannedChange) {
  const after = editLimits(own, edit);
  const saved: SavedLimitChange = {
    ...placeOf(target),
    before: readEdit(own, edit),
    after: readEdit(after, edit),
  };
  const isChanged = rateLimitFields.some((field) => own[field] !== after[field]);
  const result = { target, saved, own: after, isChanged };
  if (target.kind !== "project") return { ...result, values: builtInRateLimits, version: null };
  const values = { ...rateLimitCache.baseLimits(target.project.id, target.model), ...after };
  const cache = {
    ownLimits: () => after,
    effectiveLimits: () => values,
    planOf: (projectId: string) => rateLimitCache.planOf(projectId),
  };
  const version = versionOfPair(describePair({ rateLimitCache: cache }, target.project, target.model));
  return { ...result, values, version };
}

interface UndoneLimitChanges {
  /** Null if nothing could be taken back. */
  readonly undone: MadeLimitChanges | null;
  readonly left: readonly (LimitCell & { readonly by: string | null })[];
}

/**
 * Takes a change back: its limits are as they were before, except for those that somebody has changed since.
 * @throws Refusal 404; 403 without the permission in all its projects; 409 after 30 days, or if it was taken back.
 */
export function undoLimitChanges(
  context: LimitChangeContext,
  request: ChangeRequest,
  caller: Caller,
  id: string,
): Promise<UndoneLimitChanges> {
  const { limitChanges } = context;
  return change(context, withEventOfEach(eachLimit, request), async (transaction) => {
    const found = await findUndoable(context, caller, id);
    const planned: PlannedChange[] = [];
    const left: LimitCell[] = [];
    const defaults = await context.models.limitDefaults.list();
    for (const [index, saved] of found.changes.entries()) {
      if (index > 0 && index % PLANNED_AT_ONCE === 0) await new Promise(setImmediate);
      const plan = planUndo(context, defaults, saved);
      left.push(...plan.left);
      if (plan.planned) planned.push(plan.planned);
    }
    const editors = left.length > 0 ? await limitChanges.findEditors(id, left) : new Map<string, string>();
    return {
      undone: planned.length > 0 ? await write(context, transaction, planned, { caller, undoes: id }) : null,
      left: left.map((cell) => ({ ...cell, by: editors.get(buildCellKey(cell)) ?? null })),
    };
  });
}

async function findUndoable(
  { limitChanges, runtime }: LimitChangeContext,
  caller: Caller,
  id: string,
): Promise<LimitChangesRecord> {
  const found = await limitChanges.find(id);
  const projects = [...new Set((found?.changes ?? []).map(({ projectId }) => projectId))];
  const permissions = projects.map((projectId) => caller.permissionsIn(projectId));
  if (!found || !permissions.some((held) => held.has("api.rate_limits.read")))
    throw notFound("change of rate limits", id, "changes_id");
  if (!permissions.every((held) => held.has("api.rate_limits.write")))
    throw missingPermission("api.rate_limits.write");
  if (found.undoneBy !== null)
    throw conflict(
      "changes_id",
      `This change was taken back already, by ${found.undoneBy}.`,
      "already_decided",
    );
  if (runtime.clock.nowMs() >= found.createdAtMs + UNDO_MS)
    throw conflict(
      "changes_id",
      "A change can be taken back for 30 days. Change the limits.",
      "undo_expired",
    );
  return found;
}

function planUndo(
  context: LimitChangeContext,
  defaults: readonly StoredLimitDefaults[],
  { before, after, ...place }: SavedLimitChange,
): { readonly planned: PlannedChange | null; readonly left: readonly LimitCell[] } {
  const found = findPlace(context, defaults, place);
  const changed = rateLimitFields.filter(
    (field) => after[field] !== undefined && after[field] !== before[field],
  );
  const present = readEdit(found?.own ?? {}, after);
  const back = found ? changed.filter((field) => present[field] === after[field]) : [];
  const left = changed.filter((field) => !back.includes(field)).map((field) => ({ ...place, field }));
  const edit = Object.fromEntries(back.map((field) => [field, before[field]]));
  return { planned: found && back.length > 0 ? { ...found, edit } : null, left };
}

/** What is set in a place now; null if its project, plan or model is gone. */
function findPlace(
  { projectCache, catalogue, rateLimitCache, limitPlanCache }: LimitChangeContext,
  defaults: readonly StoredLimitDefaults[],
  { projectId, planId, model: modelId }: LimitPlace,
): { readonly target: LimitTarget; readonly own: OwnLimits } | null {
  const model = catalogue.find(modelId);
  if (!model && modelId !== EVERY_MODEL) return null;
  if (projectId !== null) {
    const project = projectCache.find(projectId);
    if (!project || !model || project.archivedAtMs !== null) return null;
    return { target: { kind: "project", project, model }, own: rateLimitCache.ownLimits(projectId, modelId) };
  }
  if (planId === null)
    return { target: { kind: "default", modelId }, own: findOwn(defaults, modelId || ORGANIZATION_DEFAULTS) };
  const plan = limitPlanCache.find(planId);
  return plan ? { target: { kind: "plan", plan, modelId }, own: plan.limits.get(modelId) ?? {} } : null;
}
