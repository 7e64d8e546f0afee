import { type RateLimitValues, rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import { rateLimitId } from "@/lib/contract/ids";
import type { LimitApprovalRule } from "@/lib/contract/operations/models/rate-limit-approvals";
import type { RateLimit } from "@/lib/contract/operations/models/rate-limits";
import { type Caller, toKeyCreator } from "../../access/caller";
import { toUnixSeconds } from "../../clock";
import { listInMemory } from "../../lists/paged-list";
import type { Catalogue } from "../../models/catalogue";
import { findLimitDefault, listLimitDefaults } from "../../models/limit-defaults";
import type { ProjectStore } from "../../projects/project-store.sql";
import { findProject } from "../../projects/projects";
import type { AskedDraft } from "../../rate-limits/limit-approval-store.sql";
import {
  askForApproval,
  decideDraft,
  findDraft,
  findDraftRefusal,
  type LimitApprovalContext,
  mayApprove,
  saveApprovalBounds,
} from "../../rate-limits/limit-approvals";
import { type LimitChangeContext, saveLimitChanges } from "../../rate-limits/limit-changes";
import {
  changeFollowers,
  createPlan,
  deletePlan,
  describePlan,
  findPlan,
  type LimitPlanContext,
  renamePlan,
} from "../../rate-limits/limit-plans";
import { nameOf } from "../../rate-limits/plan-limit-changes";
import {
  findLimitedModel,
  type RateLimitCache,
  type RateLimitContext,
  saveRateLimit,
} from "../../rate-limits/rate-limits";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";

interface Context extends RateLimitContext {
  readonly projects: ProjectStore;
  readonly catalogue: Catalogue;
  readonly rateLimitCache: RateLimitCache;
}

export function rateLimitRoutes(
  context: Context,
): Handlers<"listRateLimits" | "retrieveRateLimit" | "saveRateLimit"> {
  const { projects, catalogue, rateLimitCache } = context;
  const describe = (projectId: string, model: string, values: RateLimitValues): RateLimit => {
    const own = rateLimitCache.ownLimits(projectId, model);
    const own_fields = rateLimitFields.filter((field) => own[field] !== undefined);
    return { object: "project.rate_limit", id: rateLimitId(model), model, ...values, own_fields };
  };
  return {
    listRateLimits: async ({ params, query }) => {
      const { id: projectId } = await findProject(projects, params.project_id);
      const { changed: isChanged } = query;
      const limits = catalogue.list().flatMap((model) => {
        const values = rateLimitCache.effectiveLimits(projectId, model);
        const isListed = isChanged === undefined || isChanged === differs(values, model.defaultRateLimits);
        return isListed ? { id: rateLimitId(model.id), model: model.id, values } : [];
      });
      return paginate(listInMemory(limits), query, ({ model, values }) => describe(projectId, model, values));
    },
    retrieveRateLimit: async ({ params }) => {
      const { id: projectId } = await findProject(projects, params.project_id);
      const model = findLimitedModel(catalogue, params.rate_limit_id);
      return describe(projectId, model.id, rateLimitCache.effectiveLimits(projectId, model));
    },
    saveRateLimit: async ({ params, body, request }) => {
      const limitPath = { projectId: params.project_id, rateLimitId: params.rate_limit_id };
      const { model, values } = await saveRateLimit(context, request, limitPath, body);
      return describe(params.project_id, model, values);
    },
  };
}

const differs = (values: RateLimitValues, other: RateLimitValues) =>
  rateLimitFields.some((field) => values[field] !== other[field]);

type Ids = "listRateLimitDefaults" | "retrieveRateLimitDefault" | "saveRateLimitDefault";

export function rateLimitDefaultRoutes(context: LimitChangeContext): Handlers<Ids> {
  return {
    listRateLimitDefaults: async ({ query }) =>
      paginate(listInMemory(await listLimitDefaults(context)), query, (one) => one),
    retrieveRateLimitDefault: ({ params }) => findLimitDefault(context, params.default_id),
    saveRateLimitDefault: async ({ params: { default_id }, body, caller, request }) => {
      await findLimitDefault(context, default_id);
      await saveLimitChanges(context, request, caller, [{ default_id, ...body }]);
      return findLimitDefault(context, default_id);
    },
  };
}

type RateLimitPlansIds =
  | "listRateLimitPlans"
  | "createRateLimitPlan"
  | "retrieveRateLimitPlan"
  | "changeRateLimitPlan"
  | "deleteRateLimitPlan"
  | "changeRateLimitPlanProjects";

export function rateLimitPlanRoutes(context: LimitPlanContext): Handlers<RateLimitPlansIds> {
  return {
    listRateLimitPlans: ({ query }) =>
      paginate(listInMemory(context.limitPlanCache.list()), query, (plan) => describePlan(context, plan)),
    createRateLimitPlan: async ({ body, request }) =>
      describePlan(context, await createPlan(context, request, body.name)),
    retrieveRateLimitPlan: async ({ params }) => describePlan(context, findPlan(context, params.plan_id)),
    changeRateLimitPlan: async ({ params, body, request }) =>
      describePlan(context, await renamePlan(context, request, params.plan_id, body.name)),
    deleteRateLimitPlan: async ({ params, query, request }) => {
      await deletePlan(context, request, params.plan_id, query.move_to);
      return { object: "rate_limit.plan.deleted", id: params.plan_id, deleted: true };
    },
    changeRateLimitPlanProjects: async ({ params, body, request }) =>
      describePlan(context, await changeFollowers(context, request, params.plan_id, body)),
  };
}

type RateLimitApprovalsIds =
  | "retrieveRateLimitApproval"
  | "saveRateLimitApproval"
  | "listRateLimitDrafts"
  | "createRateLimitDraft"
  | "retrieveRateLimitDraft"
  | "approveRateLimitDraft"
  | "declineRateLimitDraft";

export function rateLimitApprovalRoutes(context: LimitApprovalContext): Handlers<RateLimitApprovalsIds> {
  const describeRule = async (): Promise<LimitApprovalRule> => ({
    object: "rate_limits.approval",
    above: await context.limitApprovals.bounds(),
    waits: (await context.limitApprovals.findWaitingBounds())?.id ?? null,
  });
  const describe = (caller: Caller, draft: AskedDraft) => describeDraft(context, caller, draft);
  return {
    retrieveRateLimitApproval: describeRule,
    saveRateLimitApproval: async ({ body, caller, request }) => {
      await saveApprovalBounds(context, request, toKeyCreator(caller), body.above);
      return describeRule();
    },
    listRateLimitDrafts: async ({ query: { status, ...page }, caller }) => {
      const maker = mayApprove(caller) ? null : toKeyCreator(caller).id;
      const list = await paginate(context.limitApprovals.pages(maker, status), page, (draft) =>
        summarizeDraft(context, caller, draft),
      );
      return { ...list, data: await Promise.all(list.data) };
    },
    createRateLimitDraft: async ({ body, caller, request }) =>
      describe(caller, await askForApproval(context, request, caller, body.changes)),
    retrieveRateLimitDraft: async ({ params, caller }) =>
      describe(caller, await findDraft(context, caller, params.draft_id)),
    approveRateLimitDraft: async ({ params, caller, request }) =>
      describe(caller, await decideDraft(context, request, caller, { id: params.draft_id, reason: null })),
    declineRateLimitDraft: async ({ params, body, caller, request }) =>
      describe(
        caller,
        await decideDraft(context, request, caller, { id: params.draft_id, reason: body.reason }),
      ),
  };
}

/** A draft as somebody sees it who may want to approve it. */
export async function summarizeDraft(context: LimitApprovalContext, caller: Caller, draft: AskedDraft) {
  const { id, status, changes, bounds, createdAtMs, maker, decision } = draft;
  const refusal = status === "pending" ? await findDraftRefusal(context, draft, toKeyCreator(caller)) : null;
  return {
    object: "rate_limits.draft" as const,
    id,
    status,
    size: changes.length,
    sets_approval: bounds && { above: bounds },
    created_at: toUnixSeconds(createdAtMs),
    made_by: maker,
    decided_at: decision && toUnixSeconds(decision.atMs),
    decided_by: decision && decision.person,
    reason: decision?.reason ?? null,
    approval_refusal: refusal && {
      message: refusal.message,
      until: refusal.untilMs === null ? null : toUnixSeconds(refusal.untilMs),
    },
  };
}

async function describeDraft(context: LimitApprovalContext, caller: Caller, draft: AskedDraft) {
  return {
    ...(await summarizeDraft(context, caller, draft)),
    changes: draft.changes.map(({ after, ...place }) => ({ ...nameOf(place), after: { ...after } })),
  };
}
