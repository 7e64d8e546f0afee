import * as z from "zod/mini";
import { rateLimitFields } from "../../calls/rate-limit-table";
import { defineOperations } from "../../operation";
import { pageQuery, pageSchema, queryFlag, queryList, unixSeconds } from "../../schema";
import { markUnversioned, withVersion } from "../../version";
import { person } from "../money/pending-payment";
import { limitUsageEntry } from "../usage/limit-usage";
import { limitEdit, limitField, rateLimitValues } from "./rate-limits";

/** The projects and models, plans and defaults of one change. */
const MAX_LIMIT_CHANGES = 10_000;

/** The rate limits of one project and model, in a list of all of them. */
export const rateLimitPair = withVersion(
  z.object({
    object: z.literal("organization.rate_limit"),
    /** Made of the project's and the model's ids, for paging. */
    id: z.string(),
    project_id: z.string(),
    project_name: markUnversioned(z.string()),
    model: z.string(),
    ...rateLimitValues.shape,
    /** The limits that were set by hand. The others follow the project's plan, or the model's defaults. */
    own_fields: z.array(limitField),
    /** The plan that the project follows. */
    plan_id: markUnversioned(z.nullable(z.string())),
    /** Its use, for `usage=true`: of the limits that were ever used or refused a call. */
    usage: markUnversioned(z.optional(z.array(limitUsageEntry))),
  }),
);
export type RateLimitPair = z.output<typeof rateLimitPair>;

/** Whose limits: a project's or a plan's of a model, or the defaults. */
export const limitTarget = {
  project_id: z.optional(z.string()),
  plan_id: z.optional(z.string()),
  /** A model's id, or `organization` for every model. */
  default_id: z.optional(z.string()),
  /** With a project or a plan. Null in a plan: every model that the plan doesn't name. */
  model: z.optional(z.nullable(z.string())),
};

const draftedChange = z
  .strictObject({
    ...limitTarget,
    ...limitEdit.shape,
    /** The version that the change is based on; absent to change whatever is there. */
    version: z.optional(z.string().check(z.maxLength(100))),
  })
  .check(
    z.refine(({ project_id, plan_id, default_id }) => countNamed(project_id, plan_id, default_id) === 1, {
      message: "must name one of project_id, plan_id and default_id",
    }),
    z.refine(({ project_id, model }) => project_id === undefined || typeof model === "string", {
      message: "must be the model whose limits in the project change",
      path: ["model"],
    }),
    z.refine(({ plan_id, model }) => plan_id === undefined || model !== undefined, {
      message: "must be a model, or null for every model that the plan doesn't name",
      path: ["model"],
    }),
    z.refine(({ default_id, model }) => default_id === undefined || model === undefined, {
      message: "must be absent: default_id names the model",
      path: ["model"],
    }),
    z.refine((change) => rateLimitFields.some((name) => change[name] !== undefined), {
      message: `must set at least one of ${rateLimitFields.join(", ")}`,
    }),
  );
export type DraftedLimitChange = z.output<typeof draftedChange>;

const countNamed = (...ids: readonly (string | undefined)[]) => ids.filter((id) => id !== undefined).length;

export const draftedChanges = z.array(draftedChange).check(z.minLength(1), z.maxLength(MAX_LIMIT_CHANGES));
export const limitChangesDraft = z.strictObject({ changes: draftedChanges });

/** What a change did in one place: each changed limit before and after, as in a request. */
const madeChange = z.object({
  ...limitTarget,
  before: limitEdit,
  after: limitEdit,
});

const summary = {
  object: z.literal("rate_limits.changes"),
  id: z.string(),
  created_at: unixSeconds,
  made_by: person,
  /** The number of projects and models, plans and defaults. */
  size: z.int(),
  /** Until when it can be undone; null once it was, or if it is itself an undo that was undone. */
  undo_until: z.nullable(unixSeconds),
  /** The change that it took back; null for any other. */
  undoes: z.nullable(z.string()),
  /** The change that took it back. */
  undone_by: z.nullable(z.string()),
};
const changesSummary = z.object(summary);
const changesMade = z.object({ ...summary, changes: z.array(madeChange) });
export type LimitChangesMade = z.output<typeof changesMade>;
/** `version` is that of the pair, plan or default of which this is a part. */
const savedChange = z.extend(madeChange, { version: markUnversioned(z.string()) });
const changesSaved = z.object({
  ...summary,
  /** In the order of the request. */
  changes: z.array(savedChange),
});

const undoReply = z.object({
  object: z.literal("rate_limits.undo"),
  /** The change that took the other one back; null if nothing could be taken back. */
  id: z.nullable(z.string()),
  undone: z.array(savedChange),
  /** What somebody changed since, and so stays. */
  left: z.array(
    z.object({
      ...limitTarget,
      field: limitField,
      /** Who changed it; null where the audit log doesn't say. */
      by: z.nullable(z.string()),
    }),
  ),
});

const ids = queryList;
const listQuery = z.extend(pageQuery, {
  limit: z.optional(
    z.pipe(
      z.string().check(z.regex(/^\d{1,5}$/, "must be a whole number from 1 to 10000")),
      z.pipe(z.transform(Number), z.int().check(z.minimum(1), z.maximum(10_000))),
    ),
  ),
  /** Each word is part of the project's name or the model, or begins the project's id. */
  search: z.optional(z.string().check(z.maxLength(200))),
  project_id: z.optional(ids),
  model: z.optional(ids),
  /** Selects pairs with a limit set by hand or, with `false`, those that follow all defaults. */
  set_by_hand: z.optional(queryFlag),
  usage: z.optional(queryFlag),
});
export type RateLimitPairQuery = z.output<typeof listQuery>;

/** Bounds of a request with as many changes as are allowed, with long names. */
export const changesBounds = { bytes: 6 * 1024 * 1024, entries: 120_000 };

export const rateLimitChangeOperations = defineOperations(
  { surface: "v1 and origin", scope: "any project" },
  {
    listOrganizationRateLimits: {
      method: "GET",
      path: "/organization/rate_limits",
      permission: "api.rate_limits.read",
      summary:
        "Lists the rate limits of every model in every project that the caller may read, archived projects excepted, up to 10,000 in a page.",
      query: listQuery,
      reply: pageSchema(rateLimitPair),
    },
    createRateLimitChanges: {
      method: "POST",
      effect: "creates",
      path: "/organization/rate_limits/changes",
      permission: "api.rate_limits.write",
      summary:
        "Changes the limits of up to 10,000 projects and models, plans and defaults at once, all or none. A 412 names each one that somebody has changed since its `version`, in `error.current`.",
      body: limitChangesDraft,
      bodyBounds: changesBounds,
      reply: changesSaved,
    },
    listRateLimitChanges: {
      method: "GET",
      path: "/organization/rate_limits/changes",
      permission: "api.rate_limits.read",
      summary: "Lists the changes of many rate limits at once, newest first.",
      query: pageQuery,
      reply: pageSchema(changesSummary),
    },
    retrieveRateLimitChanges: {
      method: "GET",
      path: "/organization/rate_limits/changes/{changes_id}",
      permission: "api.rate_limits.read",
      summary: "Returns one change of many rate limits, with what it changed in the caller's projects.",
      reply: changesMade,
    },
    undoRateLimitChanges: {
      method: "POST",
      effect: "acts",
      path: "/organization/rate_limits/changes/{changes_id}/undo",
      permission: "api.rate_limits.write",
      summary:
        "Takes a change back within 30 days. Limits that somebody has changed since stay as they are, and are named.",
      reply: undoReply,
    },
  },
);
