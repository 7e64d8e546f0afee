import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { pageQuery, pageSchema, queryList, queryTime, secretText, unixSeconds } from "../../schema";
import { baseUrl } from "../models/providers";

/** The parts of a configuration file that are exported, planned and applied. */
export const configurationParts = [
  "organization",
  "limit_plans",
  "projects",
  "providers",
  "models",
  "roles",
  "groups",
  "members",
  "defaults",
  "retention",
] as const;
export type ConfigurationPart = (typeof configurationParts)[number];

/** A part, or one inside others such as the limits of projects, that a reply leaves out, and the permission for it. */
const leftOut = z.object({ part: z.string(), permission: z.string() });

const configuration = z.object({
  object: z.literal("configuration"),
  /** The file as YAML. Keys of providers are names of secrets. */
  file: z.string(),
  /** The same, as JSON. */
  content: z.record(z.string(), z.unknown()),
  /** What the caller may not read. */
  left_out: z.array(leftOut),
});

/** A field's values; null where it has its default, or nothing. */
const field = z.object({ name: z.string(), before: z.unknown(), after: z.unknown() });

const who = z.object({ name: z.string(), at: unixSeconds });

const plannedChange = z.object({
  /** Stays the same while the object keeps its name. */
  id: z.string(),
  /** Where it stands: the part, the name, and what is inside of it. */
  path: z.array(z.string()),
  kind: z.enum(["create", "update", "remove"]),
  /**
   * `file`: the file changed it, so it is applied; a removal only if it is ticked. `here`: it was changed in the
   * gateway since the file was last applied, so it is kept unless it is taken back.
   */
  origin: z.enum(["file", "here"]),
  fields: z.array(field),
  /** Who changed it here last, as far as the caller may read the audit log. */
  changed_by: z.nullable(who),
  /** Why it can't be applied; null if it can. */
  refusal: z.nullable(z.object({ code: z.string(), message: z.string(), param: z.nullable(z.string()) })),
});
export type PlannedChange = z.output<typeof plannedChange>;

const planFields = {
  id: z.string(),
  created_at: unixSeconds,
  /**
   * Only a file is told apart from what was changed here since, and counts as the file that was last applied.
   */
  source: z.enum(["file", "csv", "openai", "past"]),
  changes: z.array(plannedChange),
  /** How many of the file's changes weren't tried out: whether these can be made is known once it is applied. */
  untried: z.int(),
  /** The names of the secrets that applying it needs. */
  secrets: z.array(z.string()),
  /** What differs and is read only when the gateway starts with the file. */
  at_start: z.array(z.string()),
  /** When the file was last applied, and by whom. */
  last_applied: z.nullable(z.extend(who, { id: z.string() })),
  /** What an import has found and can't bring here, and why. */
  no_counterpart: z.array(z.object({ what: z.string(), reason: z.string() })),
};
const plan = z.object({ object: z.literal("configuration.plan"), ...planFields });
export type ConfigurationPlan = z.output<typeof plan>;

export const planRequest = z
  .strictObject({
    /** The configuration file: YAML or JSON. Parts that it doesn't have stay as they are. */
    file: z.optional(z.string().check(z.minLength(1))),
    /** Instead of it, a CSV of limits or prices, in the columns of their exports. What it doesn't have stays. */
    csv: z.optional(z.string().check(z.minLength(1))),
    /** Instead of it, a moment, to go back to what was set then. It takes `api.audit_logs.read`. */
    at: z.optional(unixSeconds),
    /** What goes back to `at`: all but `members` by default. */
    parts: z.optional(z.array(z.enum(configurationParts))),
  })
  .check(
    z.refine(({ file, csv, at }) => [file, csv, at].filter((one) => one !== undefined).length === 1, {
      path: ["file"],
      message: "must be given, or csv, or at: exactly one of the three",
    }),
    z.refine(({ at, parts }) => at !== undefined || parts === undefined, {
      path: ["parts"],
      message: "belongs to at: a file has its parts itself",
    }),
  );

export const openaiImportRequest = z.strictObject({
  /** An admin key of the organization. It is used for this request alone, and not stored. */
  admin_key: secretText.check(z.regex(/^[!-~]+$/, "must be printable characters without spaces")),
  /** The API's address, `https://api.openai.com/v1` by default. */
  base_url: z.optional(baseUrl),
});

const changeIds = z.array(z.string().check(z.minLength(1))).check(z.maxLength(100_000));

export const applyRequest = z.strictObject({
  plan_id: z.string().check(z.minLength(1)),
  /** The changes made here that are taken back. The others are kept. */
  back: z.optional(changeIds),
  /** The removals that are made. The others are left out. */
  remove: z.optional(changeIds),
  /** The secrets that the plan names. */
  secrets: z.optional(z.record(z.string(), secretText)),
});
export type ApplyRequest = z.output<typeof applyRequest>;

const appliedChange = z.pick(plannedChange, { id: true, path: true, kind: true, fields: true });
export type AppliedChange = z.output<typeof appliedChange>;

const application = z.object({
  object: z.literal("configuration.application"),
  id: z.string(),
  plan_id: z.string(),
  applied_at: unixSeconds,
  applied_by: z.string(),
  changes: z.array(appliedChange),
  /** Until when it can be undone; null if it was. */
  undo_until: z.nullable(unixSeconds),
});
export type ConfigurationApplication = z.output<typeof application>;

const applied = z.extend(application, {
  /** Those who were invited, with the tokens of their links, which are shown this once. */
  invitations: z.array(z.object({ email: z.string(), token: z.string() })),
});
export type AppliedConfiguration = z.output<typeof applied>;

const undone = z.object({
  object: z.literal("configuration.undo"),
  id: z.string(),
  undone: z.array(appliedChange),
  /** What was changed since, or can't be put back, and stays as it is. */
  left: z.array(z.object({ id: z.string(), path: z.array(z.string()), reason: z.string() })),
});
export type ConfigurationUndo = z.output<typeof undone>;

const partsQuery = z.optional(z.pipe(queryList, z.array(z.enum(configurationParts))));

const ofItsParts = {
  open: "to every caller",
  because: "Each part of the file needs the permission for what it holds.",
} as const;

const bodyBounds = { bytes: 4 * 1024 * 1024, entries: 250_000 };

export const configurationOperations = defineOperations(
  { surface: "v1 and origin", scope: "own", permission: ofItsParts },
  {
    retrieveConfiguration: {
      method: "GET",
      path: "/organization/configuration",
      summary:
        "Returns what is set as a configuration file, all of it or some parts, without secrets. It leaves out what the caller may not read, and names it.",
      query: z.strictObject({
        /** All but `members` by default: people come and go without it. */
        parts: partsQuery,
        /** What was set at a moment instead, by the audit log: it takes `api.audit_logs.read`. */
        at: z.optional(queryTime),
      }),
      reply: configuration,
    },
    compareConfigurations: {
      method: "GET",
      path: "/organization/configuration/changes",
      summary:
        "Compares what was set at two moments, by the audit log: what changed from the one to the other.",
      query: z.strictObject({
        from: queryTime,
        /** Now by default. */
        until: z.optional(queryTime),
        parts: partsQuery,
      }),
      reply: z.object({
        object: z.literal("configuration.changes"),
        from: unixSeconds,
        until: unixSeconds,
        changes: z.array(appliedChange),
      }),
    },
    planConfiguration: {
      method: "POST",
      effect: "acts",
      path: "/organization/configuration/plan",
      summary:
        "Compares a configuration file with what is set and with what was last applied, and changes nothing.",
      body: planRequest,
      bodyBounds,
      reply: plan,
    },
    planOpenaiImport: {
      method: "POST",
      effect: "acts",
      path: "/organization/configuration/openai_import",
      summary:
        "Reads an organization by OpenAI's Admin API, and plans its projects, limits, roles, groups and members over what is set. Changes nothing.",
      body: openaiImportRequest,
      reply: plan,
    },
    retrieveConfigurationPlan: {
      method: "GET",
      path: "/organization/configuration/plans/{plan_id}",
      summary: "Returns a plan as it was made. Plans are kept for seven days.",
      reply: plan,
    },
    applyConfiguration: {
      method: "POST",
      effect: "acts",
      path: "/organization/configuration/apply",
      summary:
        "Applies a plan, all of it or none; 412 with the new plan's changes where something has moved since it was made.",
      body: applyRequest,
      bodyBounds,
      reply: applied,
    },
    listConfigurationApplications: {
      method: "GET",
      path: "/organization/configuration/applications",
      scope: "organization",
      permission: "api.audit_logs.read",
      summary: "Lists the plans that were applied, the last one first.",
      query: pageQuery,
      reply: pageSchema(application),
    },
    undoConfiguration: {
      method: "POST",
      effect: "acts",
      path: "/organization/configuration/applications/{application_id}/undo",
      summary:
        "Puts back what a plan has changed, within 30 days, and leaves alone and names what was changed since.",
      reply: undone,
    },
  },
);
