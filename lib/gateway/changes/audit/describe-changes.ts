import { ownEventTypes } from "@/lib/contract/access/audit-events";
import { roleWord } from "@/lib/contract/access/role-words";
import { formatAmount, toNano } from "@/lib/money/amount";
import type { AuditChange } from "./audit-event";

type Fields = Readonly<Record<string, unknown>>;

/** OpenAI's names for columns that are named differently here. */
const names: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  projects: { name: "title" },
  groups: { name: "group_name" },
  roles: { name: "role_name" },
  invites: { role_id: "role" },
};

/** Columns that are never listed as changed. */
const unsaid = /^(id|project_id|.*_at_ms|hash)$/;

/**
 * The object under an event's type, as OpenAI has it: `id`, and `data` for a new object or `changes_requested` for a
 * changed one. OpenAI's types leave out what is empty, where ours have null.
 */
export function describeAuditChanges(type: string, changes: readonly AuditChange[]): Fields {
  const described = describeEvent(type, changes);
  return ownEventTypes.some((own) => own === type) ? described : withoutNulls(described);
}

function withoutNulls(fields: Fields): Fields {
  const present = Object.entries(fields).filter(([, value]) => value !== null);
  return Object.fromEntries(
    present.map(([name, value]) => [name, isFields(value) ? withoutNulls(value) : value]),
  );
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function describeEvent(type: string, changes: readonly AuditChange[]): Fields {
  const [first] = changes;
  if (!first) return {};
  const { object, id, before, after } = first;
  if (object === "role_assignments") {
    return type.startsWith("user.") ? describeMember(type, changes) : describeAssignment(first);
  }
  const values = sayable(object, after ?? {});
  if (object === "roles" && before === null) return { id, ...values };
  if (before === null)
    return { id, data: object === "projects" ? { ...values, name: values.title } : values };
  // Some rows are marked as deleted instead of being removed.
  if (after === null || type.endsWith(".deleted")) return { id };
  const was = sayable(object, before);
  const changedValues = Object.entries(values).filter(([name, value]) => value !== was[name]);
  return {
    id,
    changes_requested: {
      ...Object.fromEntries(changedValues),
      ...describePermissionChanges(object, was, values),
    },
  };
}

/** Replacing a member's role also shows which role was removed. */
function describeMember(type: string, changes: readonly AuditChange[]) {
  const assignment = changes.find(({ object, after }) => object === "role_assignments" && after !== null);
  const id = changes[0]?.subject_id;
  if (!assignment) return { id };
  const role = { role: roleWord(assignment.id) };
  return type === "user.added" ? { id, data: role } : { id, changes_requested: role };
}

function describeAssignment({ id, subject_id, project_id, before, after }: AuditChange) {
  const row = after ?? before ?? {};
  return {
    id,
    principal_id: subject_id,
    principal_type: row.user_id === null ? "group" : "user",
    resource_id: project_id,
    resource_type: project_id === null ? "api.organization" : "api.project",
  };
}

function sayable(object: string, row: Fields): Record<string, unknown> {
  const fields = Object.entries(row).filter(([name]) => !unsaid.test(name));
  return Object.fromEntries(
    fields.map(([name, value]) => [names[object]?.[name] ?? name, parseValue(object, name, value)]),
  );
}

/** Columns that store lists as JSON. */
const LISTS = [
  "permissions",
  "projects",
  "recipients",
  "routes",
  "model_ids",
  "redactions",
  "models",
  "endpoints",
];
/** Columns of amounts in nano-units. */
const AMOUNTS = ["spend_limits.amount", "pending_payments.amount", "payment_approval.above"];

function parseValue(object: string, name: string, value: unknown): unknown {
  if (value !== null && AMOUNTS.includes(`${object}.${name}`)) {
    return formatAmount(toNano(BigInt(String(value))));
  }
  return LISTS.includes(name) && typeof value === "string" ? JSON.parse(value) : value;
}

function describePermissionChanges(object: string, was: Fields, is: Fields) {
  if (object !== "roles") return {};
  const [before, after] = [was.permissions as string[], is.permissions as string[]];
  return {
    permissions: undefined,
    permissions_added: after.filter((permission) => !before.includes(permission)),
    permissions_removed: before.filter((permission) => !after.includes(permission)),
  };
}
