import { type AuditChange, describeChanges } from "@/components/audit-log/describe-changes";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import type { RevertPlan } from "./revert-plan";

const SEVERAL = "Several roles were changed together. Change them on the member’s page.";

/** Plans the reversal of an event whose changes are roles of one holder. */
export function planRoles({ changes }: Pick<AuditLog, "changes">): RevertPlan | string {
  const [first, second] = changes;
  if (!first) return SEVERAL;
  if (!second) return planMembership(first);
  const [given] = changes.filter(({ after }) => after !== null);
  const [taken] = changes.filter(({ after }) => after === null);
  const isReplacement = changes.length === 2 && given !== undefined && taken !== undefined;
  const isMember = given?.after?.user_id !== null;
  return isReplacement && isMember ? planReplacement(given, taken) : SEVERAL;
}

/** Plans the reversal of one role that took the place of another. The member's roles must be what the event left. */
function planReplacement(given: AuditChange, taken: AuditChange): RevertPlan | string {
  const { subject_id: user, project_id: project } = given;
  if (!user || taken.subject_id !== user || taken.project_id !== project) return SEVERAL;
  const inProject = project === null ? null : { project_id: project };
  return {
    operation: inProject ? "changeProjectUser" : "changeUser",
    params: { user_id: user, ...inProject },
    body: () => ({ role: taken.id }),
    left: { role: JSON.stringify([given.id]) },
    toColumns: ({ roles }) => ({ role: roles }),
    changes: describeChanges([taken, given].map(swapped)),
  };
}

/** Plans the reversal of a given or removed role or membership. The gateway refuses it if the state is already so. */
export function planMembership(change: AuditChange): RevertPlan | string {
  const { object, id, subject_id: subject, project_id: project, before, after } = change;
  if (!subject) return "The log doesn’t say whose it was.";
  const isGiven = after !== null;
  const isGroup = object === "group_users" || (after ?? before)?.user_id === null;
  const holder: Record<string, string> = { [isGroup ? "group_id" : "user_id"]: subject };
  const common = { left: null, toColumns: () => ({}), changes: describeChanges([swapped(change)]) };
  if (object === "group_users") {
    const params = { group_id: id, ...(isGiven && { user_id: subject }) };
    const body = isGiven ? undefined : () => ({ user_id: subject });
    return { ...common, operation: isGiven ? "removeGroupUser" : "addGroupUser", params, body };
  }
  const kinds = isGroup
    ? ([
        "unassignGroupRole",
        "assignGroupRole",
        "unassignProjectGroupRole",
        "assignProjectGroupRole",
      ] as const)
    : (["unassignUserRole", "assignUserRole", "unassignProjectUserRole", "assignProjectUserRole"] as const);
  return {
    ...common,
    operation: kinds[(project === null ? 0 : 2) + (isGiven ? 0 : 1)] ?? kinds[0],
    params: { ...holder, ...(project !== null && { project_id: project }), ...(isGiven && { role_id: id }) },
    body: isGiven ? undefined : () => ({ role_id: id }),
  };
}

function swapped(change: AuditChange): AuditChange {
  return { ...change, before: change.after, after: change.before, default_before: null };
}
