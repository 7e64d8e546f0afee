import { newId } from "@/lib/contract/ids";
import type { PlannedChange } from "@/lib/contract/operations/configuration/configuration";
import type { AuditLogReader } from "../changes/audit/audit-log-reader.sql";
import { change } from "../changes/change";
import { toUnixSeconds } from "../clock";
import type { ConfigurationFile } from "../configuration/configuration";
import { missingPermission, notFound, Refusal } from "../refusal";
import { listRoles } from "../roles/roles";
import { compare, type Difference, declare, isNamed, type Objects, toObjects } from "./compare";
import { type ApplicationRecord, PLAN_MS, type PlanRecord } from "./plan-store.sql";
import { type FileDraft, findLackedRead, listActiveProjects, type SettingsView } from "./section";
import { sections } from "./sections/sections";
import { inOrder, type PlanContext, type Planner, performChange, type Stage, tryOut } from "./stage";

/** Who changed an object last. */
type FindMaker = (view: SettingsView, path: readonly string[]) => Promise<PlannedChange["changed_by"]>;

interface PlanDraft {
  readonly file: ConfigurationFile;
  readonly source: PlanRecord["details"]["source"];
  /** Differences in parts that are read only at the start. */
  readonly atStart: readonly string[];
  readonly findMaker: FindMaker;
  readonly noCounterpart?: PlanRecord["details"]["no_counterpart"];
}

/**
 * Compares a file with what is set, and tries out its changes without keeping them.
 * @throws Refusal 403 for a part that the planner may not read.
 */
export async function makePlan(
  context: PlanContext,
  planner: Planner,
  { file, source, atStart, findMaker, noCounterpart = [] }: PlanDraft,
): Promise<PlanRecord> {
  const { plans, runtime } = context;
  refuseUnreadable(planner, file);
  const last = await plans.findLast();
  const { changes, untried, secrets } = await tryOut(context, planner, async (stage) => {
    const differences = await findDifferences(stage.view, file, source === "file" ? last : null);
    const makers = new Map<string, PlannedChange["changed_by"]>();
    for (const { id, path, origin } of differences)
      if (origin === "here") makers.set(id, await findMaker(stage.view, path));
    const refusals = await performEach(stage, differences);
    return {
      changes: differences.map((difference) => ({
        ...toPlanned(difference),
        changed_by: makers.get(difference.id) ?? null,
        refusal: refusals.get(difference.id) ?? null,
      })),
      untried: Math.max(0, differences.filter(({ origin }) => origin === "file").length - MOST_TRIED),
      secrets: differences.flatMap(({ kind, secrets: names = [] }) => (kind === "create" ? names : [])),
    };
  });
  const createdAtMs = runtime.clock.nowMs();
  const last_applied = last && { id: last.id, name: last.person.name, at: toUnixSeconds(last.appliedAtMs) };
  const details = {
    source,
    untried,
    secrets: [...new Set(secrets)],
    at_start: [...atStart],
    last_applied,
    no_counterpart: noCounterpart,
  };
  const plan = { id: newId("plan", createdAtMs, runtime.random), createdAtMs, file, changes, details };
  await change(context, planner.request, (transaction) => plans.insertPlan(transaction, plan));
  return plan;
}

/** Without the secrets, which are named once for all. */
export function toPlanned({ id, path, kind, origin, fields }: Difference) {
  return { id, path, kind, origin, fields };
}

/** @throws Refusal 404 for a plan that there isn't any more; 403 for one that the planner may not read. */
export async function findPlan(
  { plans, runtime }: PlanContext,
  planner: Planner,
  id: string,
): Promise<PlanRecord> {
  const plan = await plans.findPlan(id);
  if (!plan || plan.createdAtMs < runtime.clock.nowMs() - PLAN_MS) throw notFound("plan", id, "plan_id");
  refuseUnreadable(planner, plan.file);
  return plan;
}

/** A plan shows what there is of each section that its file names. */
function refuseUnreadable({ held }: Planner, file: ConfigurationFile): void {
  for (const section of sections.filter((one) => isNamed(one, file))) {
    const lacked = findLackedRead(section, held);
    if (lacked) throw missingPermission(lacked);
  }
}

export async function findDifferences(
  view: SettingsView,
  file: ConfigurationFile,
  last: Pick<ApplicationRecord, "base"> | null,
): Promise<Difference[]> {
  const now = readNow(view, (section) => isNamed(section, file));
  return compare(view, file, { now, base: last?.base ? toObjects(last.base) : null });
}

/** The objects of some sections. */
export function readNow(
  view: SettingsView,
  isRead: (section: (typeof sections)[number]) => boolean,
): Objects {
  const file: FileDraft = {};
  for (const section of sections.filter(isRead)) section.write(view, file);
  return declare(file, view);
}

/** As many changes of a plan are tried out. No other change can be made meanwhile, so that it mustn't take long. */
const MOST_TRIED = 200;

/** Makes the file's changes one after another. @returns why some of them can't be made. */
async function performEach(
  stage: Stage,
  differences: readonly Difference[],
): Promise<Map<string, NonNullable<PlannedChange["refusal"]>>> {
  const refusals = new Map<string, NonNullable<PlannedChange["refusal"]>>();
  const ofFile = inOrder(differences.filter(({ origin }) => origin === "file"));
  for (const difference of ofFile.slice(0, MOST_TRIED)) {
    try {
      await performChange(stage, difference, (name) => `not-the-secret-${name}`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, message, details } = error;
      refusals.set(difference.id, { code, message, param: details.param ?? null });
    }
  }
  return refusals;
}

/** What the audit log calls an object. */
interface Audited {
  readonly id: string;
  readonly projectId?: string | undefined;
}

/** Finds in the audit log who changed an object last; null where nothing says so. */
export function findMakerIn(auditLog: Pick<AuditLogReader, "pages">): FindMaker {
  return async (view, path) => {
    const audited = findAudited(view, path);
    if (!audited) return null;
    const { id, projectId } = audited;
    const filter = { resourceIds: [id], ...(projectId && { projectIds: [projectId] }) };
    const [event] = await auditLog.pages(filter, 1).read({ limit: 1 });
    if (!event) return null;
    const name = event.actor_email ?? event.keyName ?? event.actor_id ?? "The gateway";
    return { name, at: toUnixSeconds(event.at_ms) };
  };
}

function findAudited(
  view: SettingsView,
  [part, name = "", inside, inner = ""]: readonly string[],
): Audited | null {
  const projects = listActiveProjects(view.projectCache);
  switch (part) {
    case "organization":
      return { id: "organization" };
    case "providers":
    case "models":
      return { id: name };
    case "roles":
      return idOf(listRoles(view.graph, null).find((role) => role.name === name));
    case "members":
      return idOf(view.userCache.findByEmail(name) ?? view.invited.find(({ email }) => email === name));
    case "limit_plans":
      return idOf(view.limitPlanCache.list().find((plan) => plan.name === name));
    case "groups":
      return idOf(view.groupCache.list().find((group) => group.name === name));
  }
  const project = projects.find((one) => one.name === name);
  if (!project) return null;
  if (inside === "rate_limits") return { id: `rl_${inner}`, projectId: project.id };
  if (inside === "roles") return idOf(listRoles(view.graph, project.id).find((role) => role.name === inner));
  return { id: project.id };
}

const idOf = (object: { readonly id: string } | undefined): Audited | null =>
  object ? { id: object.id } : null;
