import { editLimits } from "@/lib/contract/calls/edit-limits";
import { rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import { DAY_MS } from "@/lib/contract/durations";
import { newId } from "@/lib/contract/ids";
import type { DraftedLimitChange } from "@/lib/contract/operations/models/rate-limit-changes";
import type { LimitEdit } from "@/lib/contract/operations/models/rate-limits";
import { type Caller, toKeyCreator } from "../access/caller";
import { type ChangeRequest, change, withEventOfEach } from "../changes/change";
import type { Transaction } from "../changes/transaction";
import type { ProjectRecord } from "../projects/project-store.sql";
import { refuseArchived } from "../projects/projects";
import { conflict, invalid, missingPermission, notFound, Refusal } from "../refusal";
import {
  buildCellKey,
  type LimitCell,
  type LimitChangeStore,
  type LimitChangesRecord,
  type SavedLimitChange,
} from "./limit-change-store.sql";
import { describePair, type LimitPairContext, versionOfPair } from "./limit-pairs";
import type { OwnLimits } from "./rate-limit-store.sql";
import type { LimitedModel, RateLimitContext } from "./rate-limits";

export const UNDO_MS = 30 * DAY_MS;

export interface LimitChangeContext extends RateLimitContext, LimitPairContext {
  readonly catalogue: LimitPairContext["catalogue"];
  readonly limitChanges: LimitChangeStore;
}

/** What is to be done to one project and model. */
interface PlannedChange {
  readonly project: ProjectRecord;
  readonly model: LimitedModel;
  readonly edit: LimitEdit;
  readonly own: OwnLimits;
}

/** A change, and the versions of the pairs that it changed, in its order. */
interface MadeLimitChanges {
  readonly made: LimitChangesRecord;
  readonly versions: readonly string[];
}

/** Changes planned before other requests are served: a few milliseconds. */
const PLANNED_AT_ONCE = 250;

const eachLimit = { object: "rate_limits", type: "rate_limit.updated" } as const;

/**
 * Changes many limits at once, all or none. They apply from the next call on.
 * @throws Refusal 400, 403 or 404 that names the change by its position; 412 with those that others have changed.
 */
export function saveLimitChanges(
  context: LimitChangeContext,
  request: ChangeRequest,
  caller: Caller,
  drafts: readonly DraftedLimitChange[],
): Promise<MadeLimitChanges> {
  return change(context, withEventOfEach(eachLimit, request), async (transaction) => {
    const planned = await planChanges(context, caller, drafts);
    return write(context, transaction, planned, { caller, undoes: null });
  });
}

/**
 * What drafted changes would do.
 * @throws Refusal as `saveLimitChanges` does.
 */
export async function planChanges(
  context: LimitChangeContext,
  caller: Caller,
  drafts: readonly DraftedLimitChange[],
): Promise<PlannedChange[]> {
  const positions = new Map<string, number>();
  const projects = new Map<string, ProjectRecord>();
  const planned: PlannedChange[] = [];
  const stale: unknown[] = [];
  for (const [index, { project_id, model: named, version, ...edit }] of drafts.entries()) {
    if (index > 0 && index % PLANNED_AT_ONCE === 0) await new Promise(setImmediate);
    const at = `changes[${index}]`;
    const project = projects.get(project_id) ?? findWritable(context, caller, project_id, at);
    projects.set(project_id, project);
    const model = context.catalogue.find(named);
    if (!model) throw notFound("model", named, `${at}.model`);
    const pair = describePair(context, project, model);
    const earlier = positions.get(pair.id);
    if (earlier !== undefined)
      throw invalid(
        at,
        `changes[${earlier}] and ${at} change the same model in the same project: make them one.`,
      );
    positions.set(pair.id, index);
    const theirs = versionOfPair(pair);
    if (version !== undefined && version !== theirs)
      stale.push({ project_id, model: named, theirs: { ...pair, version: theirs }, ours: edit });
    planned.push({ project, model, edit, own: context.rateLimitCache.ownLimits(project.id, model.id) });
  }
  if (stale.length > 0) throw refuseStale(stale, drafts.length);
  return planned;
}

function findWritable(
  { projectCache }: LimitChangeContext,
  caller: Caller,
  id: string,
  at: string,
): ProjectRecord {
  const project = projectCache.find(id);
  const held = caller.permissionsIn(id);
  // Whoever may not read a project's limits doesn't learn that there is such a project.
  if (!project || !held.has("api.rate_limits.read")) throw notFound("project", id, `${at}.project_id`);
  if (!held.has("api.rate_limits.write")) throw missingPermission("api.rate_limits.write");
  refuseArchived(project);
  return project;
}

function refuseStale(stale: readonly unknown[], of: number): Refusal {
  const which = of === 1 ? "These limits were" : `${stale.length} of ${of} were`;
  const message = `${which} changed by somebody else since you read them, and nothing was saved. Compare with \`current\`, and save again with its versions.`;
  return new Refusal(412, "conflict_error", "stale_version", message, { param: "changes", current: stale });
}

async function write(
  context: LimitChangeContext,
  transaction: Transaction,
  planned: readonly PlannedChange[],
  { caller, undoes }: { caller: Caller; undoes: string | null },
): Promise<MadeLimitChanges> {
  const { rateLimits, limitChanges, runtime } = context;
  const createdAtMs = runtime.clock.nowMs();
  const results: ReturnType<typeof applyPlan>[] = [];
  for (const plan of planned) {
    if (results.length % PLANNED_AT_ONCE === 0) await new Promise(setImmediate);
    results.push(applyPlan(plan));
  }
  const drafts = results.flatMap(({ draft, isChanged }) => (isChanged ? [draft] : []));
  await rateLimits.save(transaction, drafts, createdAtMs);
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

function applyPlan({ project, model, edit, own }: PlannedChange) {
  const after = editLimits(own, edit);
  const values = { ...model.defaultRateLimits, ...after };
  const saved: SavedLimitChange = {
    projectId: project.id,
    model: model.id,
    before: readEdit(own, edit),
    after: readEdit(after, edit),
  };
  const cache = { ownLimits: () => after, effectiveLimits: () => values };
  return {
    saved,
    draft: { projectId: project.id, model: model.id, own: after, values },
    isChanged: rateLimitFields.some((field) => own[field] !== after[field]),
    version: versionOfPair(describePair({ rateLimitCache: cache }, project, model)),
  };
}

/** How the limits that `fields` has are set: "default" where they follow it. */
function readEdit(own: OwnLimits, fields: LimitEdit): LimitEdit {
  return Object.fromEntries(
    rateLimitFields.flatMap((field) =>
      fields[field] === undefined ? [] : [[field, own[field] === undefined ? "default" : own[field]]],
    ),
  );
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
    for (const [index, saved] of found.changes.entries()) {
      if (index > 0 && index % PLANNED_AT_ONCE === 0) await new Promise(setImmediate);
      const plan = planUndo(context, saved);
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
  { projectCache, catalogue, rateLimitCache }: LimitChangeContext,
  { projectId, model: named, before, after }: SavedLimitChange,
): { readonly planned: PlannedChange | null; readonly left: readonly LimitCell[] } {
  const [project, model] = [projectCache.find(projectId), catalogue.find(named)];
  const own = rateLimitCache.ownLimits(projectId, named);
  const changed = rateLimitFields.filter(
    (field) => after[field] !== undefined && after[field] !== before[field],
  );
  const present = readEdit(own, after);
  const isThere = project && model && project.archivedAtMs === null;
  const back = isThere ? changed.filter((field) => present[field] === after[field]) : [];
  const left = changed
    .filter((field) => !back.includes(field))
    .map((field) => ({ projectId, model: named, field }));
  const edit = Object.fromEntries(back.map((field) => [field, before[field]]));
  return { planned: isThere && back.length > 0 ? { project, model, edit, own } : null, left };
}
