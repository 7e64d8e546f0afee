import type { AuditLogReader } from "../changes/audit/audit-log-reader.sql";
import { listRoles } from "../roles/roles";
import { toUnixSeconds } from "../unix-seconds";
import type { FindMaker } from "./plan";
import { listActiveProjects, type SettingsView } from "./section";

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
