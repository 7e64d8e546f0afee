import { DAY_MS } from "@/lib/contract/durations";
import { newId } from "@/lib/contract/ids";
import type {
  ApplyRequest,
  ConfigurationPlan,
  ConfigurationUndo,
} from "@/lib/contract/operations/configuration/configuration";
import { change } from "../changes/change";
import type { ConfigurationFile } from "../configuration/configuration";
import type { KeyCreator } from "../keys/key-records";
import { conflict, invalid, missingPermission, notFound, Refusal } from "../refusal";
import { type Difference, declare, isSame, type Objects } from "./compare";
import { findDifferences, findPlan, readNow, toPlanned } from "./plan";
import type { ApplicationRecord, PlanRecord } from "./plan-store.sql";
import {
  type DeclaredObject,
  findLackedRead,
  inSlices,
  type ObjectChange,
  type SettingsView,
  toChangeId,
} from "./section";
import { sections } from "./sections/sections";
import {
  findSection,
  inOrder,
  type PlanContext,
  type Planner,
  performChange,
  performChanges,
  performTogether,
  type Stage,
  secretsOf,
  toRuns,
} from "./stage";

/** How long what was applied can be undone. */
export const UNDO_MS = 30 * DAY_MS;

/**
 * Applies a plan in one unit of work, each change by the operation that makes it by hand.
 * @throws Refusal 404; 409 for a plan that was applied; 412 with the differences as they are now where they have
 * changed since it was made; and as the operations do.
 */
export async function applyPlan(
  context: PlanContext,
  planner: Planner,
  person: KeyCreator,
  { plan_id: planId, back = [], remove = [], secrets }: ApplyRequest,
): Promise<{ readonly applied: ApplicationRecord; readonly invitations: Stage["invitations"] }> {
  const { plans, runtime } = context;
  const plan = await findPlan(context, planner, planId);
  const chosen = choose(plan, { back, remove });
  const readSecret = secretsOf(secrets);
  const { stage: done, applied } = await change(context, planner.request, async (transaction) => {
    if (await plans.findApplicationOf(planId)) {
      throw conflict("plan_id", "This plan was applied already; make another one.", "already_decided");
    }
    const last = await plans.findLast();
    const stage = await planner.openStage(transaction);
    const isFile = plan.details.source === "file";
    const differences = await findDifferences(stage.view, plan.file, isFile ? last : null);
    await refuseMoved(plan, differences);
    const declared = declare(plan.file, stage.view);
    const made = inOrder(differences.filter(({ id }) => chosen.has(id)));
    await performChanges(stage, made, readSecret);
    const appliedAtMs = runtime.clock.nowMs();
    const application: ApplicationRecord = {
      id: newId("applied", appliedAtMs, runtime.random),
      planId,
      appliedAtMs,
      person,
      changes: made.map(({ id, path, kind, fields }) => ({ id, path, kind, fields })),
      base: isFile ? [...stillDeclared(last?.base ?? [], plan.file, declared), ...declared.values()] : null,
      undoneAtMs: null,
    };
    await plans.insertApplication(transaction, application);
    return { stage, applied: application };
  });
  done.sendMails();
  return { applied, invitations: done.invitations };
}

/** The ids of the changes that are made. @throws Refusal 400 for an id that isn't of a change that can be chosen. */
function choose(
  { changes }: PlanRecord,
  { back, remove }: { readonly back: readonly string[]; readonly remove: readonly string[] },
): Set<string> {
  const isRemoval = (id: string) => changes.some((one) => one.id === id && one.kind === "remove");
  const isHere = (id: string) =>
    changes.some((one) => one.id === id && one.origin === "here" && one.kind !== "remove");
  const refuse = (list: readonly string[], name: string, isOne: (id: string) => boolean, what: string) => {
    const index = list.findIndex((id) => !isOne(id));
    if (index >= 0) throw invalid(`${name}.${index}`, `${name}.${index} names no ${what} of this plan.`);
  };
  refuse(remove, "remove", isRemoval, "removal");
  refuse(back, "back", isHere, "change made here");
  const ofFile = changes.filter(({ origin, kind }) => origin === "file" && kind !== "remove");
  return new Set([...ofFile.map(({ id }) => id), ...back, ...remove]);
}

/** @throws Refusal 412 with the differences as they are now. */
async function refuseMoved({ changes }: PlanRecord, differences: readonly Difference[]): Promise<void> {
  let isMoved = changes.length !== differences.length;
  for await (const [index, { id, kind, origin, fields }] of inSlices(differences.entries())) {
    const planned = changes[index];
    isMoved ||= planned?.id !== id || planned.kind !== kind || planned.origin !== origin;
    isMoved ||= !isSame(planned?.fields, fields);
    if (isMoved) break;
  }
  if (!isMoved) return;
  const message = "Something was changed since this plan was made. Make another plan and look at it again.";
  const current: Partial<ConfigurationPlan> = {
    changes: differences.map((one) => ({ ...toPlanned(one), changed_by: null, refusal: null })),
  };
  throw new Refusal(412, "conflict_error", "stale_version", message, { param: "plan_id", current });
}

/** Declarations of earlier files about which this one says nothing. */
function stillDeclared(
  base: readonly DeclaredObject[],
  file: ConfigurationFile,
  declared: ReadonlyMap<string, DeclaredObject>,
): DeclaredObject[] {
  const covering = new Map(sections.map((section) => [section, section.covers(file)]));
  const isCovered = (path: readonly string[]) => covering.get(findSection(path))?.(path) ?? false;
  return base.filter(({ path }) => !declared.has(toChangeId(path)) && !isCovered(path));
}

/**
 * Puts back what was applied, within 30 days. What was changed since stays, and so does what can't be put back.
 * @throws Refusal 404; 403; 409 for what was undone already, and after that time.
 */
export async function undoApplication(
  context: PlanContext,
  planner: Planner,
  id: string,
): Promise<Pick<ConfigurationUndo, "undone" | "left">> {
  const { plans, runtime } = context;
  const { stage: done, ...result } = await change(context, planner.request, async (transaction) => {
    const applied = await plans.findApplication(id);
    if (!applied) throw notFound("application of a plan", id, "application_id");
    refuseUnreadable(planner, applied);
    refuseOver(applied, runtime.clock.nowMs());
    const stage = await planner.openStage(transaction);
    const undone: ConfigurationUndo["undone"] = [];
    const left: ConfigurationUndo["left"] = [];
    const parts = new Set(applied.changes.map(({ path }) => path[0]));
    const now = readNow(stage.view, ({ part }) => parts.has(part));
    const backs: (ObjectChange & { id: string })[] = [];
    for await (const one of inSlices(applied.changes.toReversed())) {
      const { back, reason } = invert(stage.view, now, one);
      if (reason) left.push({ id: one.id, path: one.path, reason });
      if (back) backs.push({ ...back, id: one.id });
    }
    for (const run of toRuns(backs)) {
      const areBack = await performTogether(stage, run);
      for (const { id: changed, path, kind, fields } of run) {
        const refusal = areBack ? null : await putBack(stage, { path, kind, fields });
        if (refusal && !left.some((one) => one.id === changed))
          left.push({ id: changed, path: [...path], reason: refusal });
        if (!refusal) undone.push({ id: changed, path: [...path], kind, fields: [...fields] });
      }
    }
    await plans.noteUndone(transaction, id, runtime.clock.nowMs());
    return { stage, undone, left };
  });
  done.sendMails();
  return result;
}

/** @returns why it can't be put back; null if it was. @throws Refusal if a part of it was put back already. */
async function putBack(
  { view, perform }: Pick<Stage, "view" | "perform">,
  back: ObjectChange,
): Promise<string | null> {
  let isBegun = false;
  const performed: Stage["perform"] = async (call) => {
    await perform(call);
    isBegun = true;
  };
  try {
    await performChange({ view, perform: performed }, back, secretsOf());
    return null;
  } catch (error) {
    if (!(error instanceof Refusal) || isBegun) throw error;
    return error.message;
  }
}

function refuseUnreadable({ held }: Planner, { changes }: ApplicationRecord): void {
  for (const { path } of changes) {
    const lacked = findLackedRead(findSection(path), held);
    if (lacked) throw missingPermission(lacked);
  }
}

function refuseOver({ undoneAtMs, appliedAtMs }: ApplicationRecord, nowMs: number): void {
  if (undoneAtMs !== null) throw conflict("application_id", "This was undone already.", "already_decided");
  if (nowMs - appliedAtMs > UNDO_MS)
    throw conflict("application_id", "What was applied can be undone for 30 days.", "already_decided");
}

/** The change that takes one back, as far as nobody has changed the same since. */
function invert(
  view: SettingsView,
  objects: Objects,
  { path, kind, fields }: ApplicationRecord["changes"][number],
): { readonly back?: ObjectChange; readonly reason?: string } {
  const section = findSection(path);
  const now = objects.get(toChangeId(path));
  if (kind === "remove") {
    if (now) return { reason: "It is there again." };
    if (section.part === "projects" && section.inside === null)
      return { reason: "An archived project doesn't come back: its keys were revoked." };
    if (section.part === "providers")
      return { reason: "Its key was removed with it: add the provider again." };
    return { back: { path, kind: "create", fields: fields.map(swap) } };
  }
  if (kind === "create") {
    if (!now) return { reason: "It was removed since." };
    const isChanged = fields.some(({ name, after }) => !isSame(now.fields[name], after));
    if (isChanged) return { reason: "It was changed since." };
    if (section.part === "members" && view.userCache.findByEmail(path[1] ?? ""))
      return { reason: "They have joined since." };
    if (section.part === "models") return { reason: "A model isn't removed, since past calls name it." };
    return { back: { path, kind: "remove", fields: [] } };
  }
  if (!now && !section.isImplicit) return { reason: "It was removed since." };
  const same = fields.filter(({ name, after }) => isSame(now?.fields[name], after));
  const changed = fields.filter((field) => !same.includes(field)).map(({ name }) => name);
  return {
    ...(same.length > 0 && { back: { path, kind: "update", fields: same.map(swap) } }),
    ...(changed.length > 0 && { reason: `Changed since: ${changed.join(", ")}.` }),
  };
}

const swap = ({ name, before, after }: ObjectChange["fields"][number]) => ({
  name,
  before: after,
  after: before,
});
