import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import {
  pageQuery,
  pageSchema,
  queryFlag,
  queryList,
  queryTime,
  unixSeconds,
  wholeNumber,
} from "../../schema";

/** Refusals of one minute with the same caller, operation, reason, project and network address. */
const accessRefusal = z.object({
  object: z.literal("organization.access_refusal"),
  id: z.string(),
  first_at: unixSeconds,
  last_at: unixSeconds,
  /** Null if no valid key or session was sent. The id is the member's or the key's. */
  caller: z.nullable(
    z.object({ type: z.enum(["user", "admin_key", "project_key"]), id: z.string(), name: z.string() }),
  ),
  /** Null for a row that sums a caller's refusals beyond the 20 rows of a minute or the 1,000 of a day. */
  operation: z.nullable(z.string()),
  /** The project in the path, if it exists. */
  project_id: z.nullable(z.string()),
  ip_address: z.nullable(z.string()),
  status: z.int(),
  code: z.string(),
  refusals: z.int(),
  /** The request of the first of them. */
  request_id: z.string(),
});
export type AccessRefusal = z.output<typeof accessRefusal>;

const accessRefusalQuery = z.extend(pageQuery, {
  "refused_at[gte]": z.optional(queryTime),
  "refused_at[lt]": z.optional(queryTime),
  caller_ids: z.optional(queryList),
  codes: z.optional(queryList),
  ip_addresses: z.optional(queryList),
});

export const accessRefusalOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization", permission: "api.audit_logs.read" },
  {
    listAccessRefusals: {
      method: "GET",
      path: "/organization/access_refusals",
      summary:
        "Lists what was refused for want of a valid key or session (401) or of a permission (403), newest first, counted by the minute. Sign-ins in vain are in the audit log, refused calls of models in the request log.",
      query: accessRefusalQuery,
      reply: pageSchema(accessRefusal),
    },
  },
);

const row = z.record(z.string(), z.unknown());

/** One object's stored fields before and after, with secrets as `***`; null if it didn't exist. */
const change = z.object({
  object: z.string(),
  id: z.string(),
  /** The current name of `id`; null if it has none or was deleted. */
  name: z.nullable(z.string()),
  /** The member or group of an object that joins one to something else, such as a role assignment. */
  subject_id: z.nullable(z.string()),
  subject_name: z.nullable(z.string()),
  project_id: z.nullable(z.string()),
  before: z.nullable(row),
  after: z.nullable(row),
  /** If limits or prices were saved for the first time: the defaults before, as they are configured now. */
  default_before: z.nullable(row),
  /** If limits follow their defaults again: the defaults, as they are now. Absent otherwise. */
  default_after: z.optional(row),
});

const user = z.object({ id: z.string(), email: z.nullable(z.string()) });

/** Follows OpenAI's actor; null for the gateway itself. `id` is the session's or key's own. */
const actor = z.nullable(
  z.object({
    type: z.enum(["session", "api_key"]),
    session: z.optional(
      z.object({
        id: z.string(),
        ip_address: z.nullable(z.string()),
        user: z.nullable(user),
        /** The admin key that opened the session. */
        api_key_id: z.nullable(z.string()),
        /** The name of the admin key. */
        api_key_name: z.nullable(z.string()),
      }),
    ),
    api_key: z.optional(
      z.object({
        id: z.string(),
        name: z.nullable(z.string()),
        type: z.enum(["user", "service_account"]),
        ip_address: z.nullable(z.string()),
        service_account: z.optional(z.object({ id: z.string() })),
      }),
    ),
  }),
);

/**
 * Follows OpenAI's audit log object. A further field, named like the event's type, holds its details. `hash` is the
 * SHA-256 of the previous event's hash and this event.
 */
const auditLog = z.looseObject({
  id: z.string(),
  type: z.string(),
  effective_at: unixSeconds,
  actor,
  project: z.optional(z.object({ id: z.string(), name: z.string() })),
  request_id: z.nullable(z.string()),
  changes: z.array(change),
  /** How many further changes `max_changes` left out. */
  more_changes: z.optional(z.int()),
  hash: z.string(),
});
export type AuditLog = z.output<typeof auditLog>;

const auditLogQuery = z.extend(pageQuery, {
  "effective_at[gt]": z.optional(queryTime),
  "effective_at[gte]": z.optional(queryTime),
  "effective_at[lt]": z.optional(queryTime),
  "effective_at[lte]": z.optional(queryTime),
  project_ids: z.optional(queryList),
  event_types: z.optional(queryList),
  /** `false` leaves out sign-ins, failed ones too, and sign-outs. */
  sign_ins: z.optional(queryFlag),
  actor_ids: z.optional(queryList),
  actor_emails: z.optional(queryList),
  resource_ids: z.optional(queryList),
  ip_addresses: z.optional(queryList),
  /** Text anywhere in the changes, the type, ids or the actor's address; ignores case. */
  text: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(200))),
  /** Returns at most so many changes of each event, of which one may have thousands; by default all. */
  max_changes: z.optional(wholeNumber(4)),
});
export type AuditLogQuery = z.output<typeof auditLogQuery>;

/** The end of the hash chain: its last event's hash, and the number of events. */
const head = { length: z.int(), hash: z.string() };

export const auditLogOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization", permission: "api.audit_logs.read" },
  {
    listAuditLogs: {
      method: "GET",
      path: "/organization/audit_logs",
      summary:
        "Lists what was changed, by whom and from where, newest first. `head` is the end of the hash chain: keep a copy elsewhere, and a log that was cut or rewritten can be told.",
      query: auditLogQuery,
      reply: z.extend(pageSchema(auditLog), { head: z.object(head) }),
    },
    retrieveAuditLogHead: {
      method: "GET",
      path: "/organization/audit_logs/head",
      summary:
        "Returns the end of the log's hash chain. Kept elsewhere, it tells later whether the log still holds all that led to it: `npm run doctor -- --audit-head LENGTH:HASH`.",
      reply: z.object({
        object: z.literal("organization.audit_log.head"),
        ...head,
        /** The time of the last event; null for an empty log. */
        effective_at: z.nullable(unixSeconds),
      }),
    },
    verifyAuditLogs: {
      method: "GET",
      path: "/organization/audit_logs/verification",
      summary:
        "Recomputes the log's hash chain from its first event on, and says up to which one it holds. Takes as long as the log is; what was verified within the last minute is not recomputed.",
      reply: z.object({
        object: z.literal("organization.audit_log.verification"),
        ...head,
        /** When the verification ended. */
        verified_at: unixSeconds,
        /** The first altered event; null if there is none. */
        fault: z.nullable(z.object({ audit_log_id: z.nullable(z.string()), message: z.string() })),
      }),
    },
    // Last, so that `/head` and `/verification` aren't matched as ids.
    retrieveAuditLog: {
      method: "GET",
      path: "/organization/audit_logs/{audit_log_id}",
      summary: "Returns one event of the audit log.",
      reply: auditLog,
    },
  },
);
