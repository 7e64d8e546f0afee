import type { LimitApprovalRule } from "@/lib/contract/operations/models/rate-limit-approvals";
import { type Caller, toKeyCreator } from "../../access/caller";
import { toUnixSeconds } from "../../clock";
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
import { nameOf } from "../../rate-limits/plan-limit-changes";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";

type Ids =
  | "retrieveRateLimitApproval"
  | "saveRateLimitApproval"
  | "listRateLimitDrafts"
  | "createRateLimitDraft"
  | "retrieveRateLimitDraft"
  | "approveRateLimitDraft"
  | "declineRateLimitDraft";

export function rateLimitApprovalRoutes(context: LimitApprovalContext): Handlers<Ids> {
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
