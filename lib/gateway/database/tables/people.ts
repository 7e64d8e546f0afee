import { integer, json, text, time } from "./columns";
import { table } from "./table";

const columns = {
  id: text.primaryKey(),
  kind: text.check("kind = 'rate_limits' OR kind = 'permission'"),
  project_id: text.nullable(),
  model: text.nullable(),
  limits: json.nullable(),
  limits_before: json.nullable(),
  permission: text.nullable(),
  reason: text.nullable(),
  request_id: text.nullable(),
  created_at_ms: time,
  maker_id: text,
  maker_name: text,
  status: text.check("status = 'pending' OR status = 'approved' OR status = 'declined'"),
  decided_at_ms: time.nullable(),
  decider_kind: text.nullable(),
  decider_id: text.nullable(),
  decider_name: text.nullable(),
  decline_reason: text.nullable(),
  given_role: json.nullable(),
  ends_at_ms: time.nullable(),
  ended_at_ms: time.nullable(),
  left_alone: json.nullable(),
};
const options = {
  checks: [
    "CASE kind WHEN 'permission' THEN permission IS NOT NULL ELSE model IS NOT NULL AND project_id IS NOT NULL END",
    "(status = 'pending') = (decided_at_ms IS NULL)",
    "status = 'approved' OR ends_at_ms IS NULL",
    "ends_at_ms IS NOT NULL OR ended_at_ms IS NULL",
  ],
  indexes: {
    access_requests_maker: { on: "maker_id, status, id" },
    access_requests_status: { on: "status, id" },
  },
};

/** Requests for higher limits or a permission. */
export const firstAccessRequests = table("access_requests", columns, options);

const kinds = ["rate_limits", "spend_limit", "model", "permission"];
const isWhole = `CASE kind WHEN 'permission' THEN permission IS NOT NULL
  WHEN 'spend_limit' THEN threshold_cents IS NOT NULL
  ELSE model IS NOT NULL AND project_id IS NOT NULL END`;

/** The same table, also for a higher spend limit and for a model that a project may not call. */
export const accessRequestsOfMoreKinds = table(
  "access_requests",
  {
    ...columns,
    kind: text.check(kinds.map((kind) => `kind = '${kind}'`).join(" OR ")),
    threshold_cents: integer.nullable(),
    threshold_cents_before: integer.nullable(),
    given_access: json.nullable(),
  },
  { ...options, checks: [isWhole, ...options.checks.slice(1)] },
);

const givenTo = (row: "NEW" | "OLD") =>
  `SELECT ${row}.user_id UNION SELECT user_id FROM group_users WHERE group_id = ${row}.group_id`;

/** Every member who holds the role of `NEW`, directly or through a group. */
const HOLDERS = `SELECT user_id FROM role_assignments WHERE role_id = NEW.id
  UNION SELECT group_users.user_id FROM group_users JOIN role_assignments USING (group_id) WHERE role_id = NEW.id`;

/** A password link becomes void when the rights of its member or its maker change, whatever makes the change. */
function voidLinks(members: string, keys = "SELECT NULL"): string {
  return `UPDATE password_resets SET is_void = 1 WHERE user_id IN (${members})
    OR (maker_kind = 'user' AND maker_id IN (${members}))
    OR (maker_kind = 'admin_key' AND maker_id IN (${keys}));`;
}

export const peopleTables = [
  table(
    "users",
    {
      id: text.primaryKey(),
      email: text,
      name: text,
      developer_persona: text.nullable(),
      technical_level: text.nullable(),
      created_at_ms: time,
      removed_at_ms: time.nullable(),
    },
    {
      indexes: {
        users_by_email: { unique: true, on: "email", where: "removed_at_ms IS NULL" },
        users_listed: { on: "id", where: "removed_at_ms IS NULL" },
      },
    },
  ),
  table("groups", {
    id: text.primaryKey(),
    name: text.unique(),
    created_at_ms: time,
  }),
  table(
    "group_users",
    {
      group_id: text.references("groups.id", "cascade"),
      user_id: text.references("users.id"),
      created_at_ms: time,
    },
    {
      primaryKey: ["group_id", "user_id"],
      withoutRowid: true,
      indexes: { group_users_by_user: { on: "user_id" } },
      triggers: {
        group_joined_voids_links: { on: "AFTER INSERT", run: voidLinks("SELECT NEW.user_id") },
        group_left_voids_links: { on: "AFTER DELETE", run: voidLinks("SELECT OLD.user_id") },
      },
    },
  ),
  // Projects' roles share the table with the organization's; names are unique within each.
  table(
    "roles",
    {
      id: text.primaryKey(),
      resource_type: text,
      name: text,
      description: text.nullable(),
      permissions: json,
      created_at_ms: time,
      project_id: text.nullable().references("projects.id"),
    },
    {
      indexes: { roles_by_name: { unique: true, on: "resource_type, coalesce(project_id, ''), name" } },
      triggers: {
        role_changed_voids_links: {
          on: "AFTER UPDATE OF permissions",
          when: "OLD.permissions <> NEW.permissions",
          run: voidLinks(HOLDERS, "SELECT id FROM admin_api_keys WHERE role_id = NEW.id"),
        },
      },
    },
  ),
  // A member's or group's role in a project, or in the organization where `project_id` is null. Predefined roles have
  // no row to refer to.
  table(
    "role_assignments",
    {
      user_id: text.nullable().references("users.id"),
      group_id: text.nullable().references("groups.id", "cascade"),
      role_id: text,
      project_id: text.nullable().references("projects.id"),
      created_at_ms: time,
    },
    {
      checks: ["(user_id IS NULL) <> (group_id IS NULL)"],
      indexes: {
        role_assignments_once: {
          unique: true,
          on: "coalesce(user_id, group_id), role_id, coalesce(project_id, '')",
        },
        role_assignments_as_holders: {
          on: "role_id || ':' || coalesce(project_id, 'organization') || ':' || coalesce(user_id, group_id)",
        },
        role_assignments_of_users: { on: "project_id, user_id", where: "user_id IS NOT NULL" },
        role_assignments_of_groups: { on: "project_id, group_id", where: "group_id IS NOT NULL" },
      },
      triggers: {
        role_given_voids_links: { on: "AFTER INSERT", run: voidLinks(givenTo("NEW")) },
        role_taken_voids_links: { on: "AFTER DELETE", run: voidLinks(givenTo("OLD")) },
      },
    },
  ),
  table(
    "invites",
    {
      id: text.primaryKey(),
      email: text,
      role_id: text,
      projects: json,
      hash: text.unique(),
      created_at_ms: time,
      expires_at_ms: time,
      accepted_at_ms: time.nullable(),
      inviter_kind: text.nullable(),
      inviter_id: text.nullable(),
    },
    {
      indexes: { invites_open: { on: "email", where: "accepted_at_ms IS NULL" } },
    },
  ),
];
