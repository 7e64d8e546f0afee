import { auditEvents } from "@/lib/contract/access/audit-events";
import { rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import { DAY_MS } from "@/lib/contract/durations";
import { newId } from "@/lib/contract/ids";
import type { DraftedLimitChange } from "@/lib/contract/operations/models/rate-limit-changes";
import { type Caller, toKeyCreator } from "../access/caller";
import { type ChangeContext, type ChangeRequest, change, withEventType } from "../changes/change";
import type { Transaction } from "../changes/transactions.sql";
import type { ClockAndRandom } from "../clock";
import type { KeyCreator } from "../keys/key-records";
import { findApprovalRefusal, type SecondPersonContext } from "../ledger/payments/second-person";
import { conflict, invalid, notFound, Refusal } from "../refusal";
import {
  type ApprovalBounds,
  type AskedDraft,
  type LimitApprovalStore,
  listRaised,
} from "./limit-approval-store.sql";
import type { LimitCell } from "./limit-change-store.sql";
import {
  keyOf,
  type LimitTargetContext,
  type PlannedChange,
  placeOf,
  planChanges,
} from "./plan-limit-changes";

/** An approval is for what was true when it was given. */
const APPROVED_MS = 7 * DAY_MS;

export interface LimitApprovalContext extends ChangeContext, LimitTargetContext, SecondPersonContext {
  readonly limitApprovals: LimitApprovalStore;
  readonly catalogue: LimitTargetContext["catalogue"];
  readonly runtime: ClockAndRandom;
}

/** The limits of a draft that rise above a bound. */
export function findAbove(
  { rateLimitCache }: Pick<LimitTargetContext, "rateLimitCache">,
  bounds: ApprovalBounds,
  planned: readonly PlannedChange[],
): LimitCell[] {
  return planned.flatMap(({ target, edit, own }) => {
    const present =
      target.kind === "project" ? rateLimitCache.effectiveLimits(target.project.id, target.model) : own;
    return listRaised(bounds, edit, present).map((field) => ({ ...placeOf(target), field }));
  });
}

/** The same for the same changes, in any order; whatever is there before them. */
export function digestChanges(planned: readonly PlannedChange[]): string {
  const rows = planned.map(({ target, edit }) => [
    keyOf(placeOf(target)),
    rateLimitFields.map((field) => edit[field] ?? (edit[field] === null ? "no limit" : "")),
  ]);
  const state = JSON.stringify(rows.toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)));
  return new Bun.CryptoHasher("sha256").update(state).digest("base64url");
}

/**
 * Uses the approval of a draft up, if it needs one.
 * @throws Refusal 403 if a limit rises above a bound and nobody has approved exactly this draft.
 */
export async function useApproval(
  context: Pick<LimitApprovalContext, "limitApprovals" | "rateLimitCache" | "runtime">,
  transaction: Transaction,
  maker: KeyCreator,
  planned: readonly PlannedChange[],
): Promise<void> {
  const { limitApprovals, runtime } = context;
  const bounds = await limitApprovals.bounds();
  const [first] = findAbove(context, bounds, planned);
  if (!first) return;
  const asked = await limitApprovals.findLast(maker.id, digestChanges(planned));
  const isApproved =
    asked?.status === "approved" && runtime.clock.nowMs() < (asked.decision?.atMs ?? 0) + APPROVED_MS;
  if (
    asked &&
    isApproved &&
    (await limitApprovals.decide(transaction, asked.id, "approved", { status: "saved" }))
  )
    return;
  const message = `${first.field} rises above ${bounds[first.field]}, so a second person has to approve exactly this draft. Ask with POST /v1/organization/rate_limits/drafts.`;
  throw new Refusal(403, "permission_error", "needs_second_person", message, { param: "changes" });
}

/** Asks for the approval of a draft. @throws Refusal as `planChanges`; 400 if it needs none; 409 if it waits. */
export function askForApproval(
  context: LimitApprovalContext,
  request: ChangeRequest,
  caller: Caller,
  drafts: readonly DraftedLimitChange[],
): Promise<AskedDraft> {
  const { limitApprovals } = context;
  return change(context, request, async (transaction) => {
    const planned = await planChanges(context, caller, drafts);
    if (findAbove(context, await limitApprovals.bounds(), planned).length === 0)
      throw invalid("changes", "No limit of this draft rises above a bound: save it without approval.");
    const maker = toKeyCreator(caller);
    const digest = digestChanges(planned);
    const last = await limitApprovals.findLast(maker.id, digest);
    if (last?.status === "pending")
      throw conflict("changes", `This draft waits for approval already: "${last.id}".`, "already_exists");
    const changes = planned.map(({ target, edit }) => ({ ...placeOf(target), after: edit }));
    return insertDraft(context, transaction, { maker, digest, changes, bounds: null });
  });
}

async function insertDraft(
  { limitApprovals, runtime }: LimitApprovalContext,
  transaction: Transaction,
  draft: Pick<AskedDraft, "maker" | "digest" | "changes" | "bounds">,
): Promise<AskedDraft> {
  const createdAtMs = runtime.clock.nowMs();
  const id = newId("rldraft", createdAtMs, runtime.random);
  const made: AskedDraft = { ...draft, id, createdAtMs, status: "pending", decision: null };
  await limitApprovals.insert(transaction, made);
  return made;
}

/** The digest of every change of the bounds: one of them waits at a time. */
const BOUNDS_DIGEST = "bounds";

/**
 * Sets the bounds. What lets more pass waits for a second person itself once there is a bound.
 * @throws Refusal 409 while another such change waits.
 */
export async function saveApprovalBounds(
  context: LimitApprovalContext,
  request: ChangeRequest,
  maker: KeyCreator,
  bounds: ApprovalBounds,
): Promise<void> {
  const { limitApprovals, runtime } = context;
  const isLooser = lets(bounds, await limitApprovals.bounds());
  const asked = isLooser ? withEventType(auditEvents.createRateLimitDraft, request) : request;
  await change(context, asked, async (transaction) => {
    if (lets(bounds, await limitApprovals.bounds()) !== isLooser)
      throw conflict("above", "The bounds have just changed. Read them again, and repeat the change.");
    if (!isLooser) {
      const sinceMs = (await limitApprovals.since()) ?? runtime.clock.nowMs();
      return limitApprovals.saveBounds(transaction, bounds, sinceMs);
    }
    const waiting = await limitApprovals.findWaitingBounds();
    if (waiting)
      throw conflict(
        "above",
        `A change of the bounds waits for approval already: "${waiting.id}". Decline it first.`,
        "approval_change_pending",
      );
    await insertDraft(context, transaction, { maker, digest: BOUNDS_DIGEST, changes: [], bounds });
  });
}

function lets(bounds: ApprovalBounds, before: ApprovalBounds): boolean {
  return rateLimitFields.some((field) => {
    const [to, from] = [bounds[field], before[field]];
    return from !== undefined && (to === undefined || to > from);
  });
}

/** Why the caller can't approve a draft; null if they can. */
export function findDraftRefusal(context: LimitApprovalContext, draft: AskedDraft, approver: KeyCreator) {
  const approval = {
    permission: "api.rate_limits.write",
    since: () => context.limitApprovals.since(),
  } as const;
  return findApprovalRefusal({ ...context, approval }, draft.maker, approver);
}

/** @throws Refusal 404 for a draft that the caller neither made nor may approve. */
export async function findDraft(
  { limitApprovals }: Pick<LimitApprovalContext, "limitApprovals">,
  caller: Caller,
  id: string,
): Promise<AskedDraft> {
  const draft = await limitApprovals.find(id);
  if (!draft || !(mayApprove(caller) || draft.maker.id === toKeyCreator(caller).id))
    throw notFound("draft of rate limits", id, "draft_id");
  return draft;
}

export function mayApprove(caller: Caller): boolean {
  return caller.permissionsIn(null).has("api.rate_limits.write");
}

/** Approves or, with a reason, declines a draft. @throws Refusal 403 for one's own; 404; 409 if it was decided. */
export async function decideDraft(
  context: LimitApprovalContext,
  request: ChangeRequest,
  caller: Caller,
  { id, reason }: { id: string; reason: string | null },
): Promise<AskedDraft> {
  const { limitApprovals, runtime } = context;
  const person = toKeyCreator(caller);
  const found = await findDraft(context, caller, id);
  const refusal = reason === null ? await findDraftRefusal(context, found, person) : null;
  if (refusal) {
    const end =
      refusal.untilMs === null
        ? ""
        : ` You can from ${new Date(refusal.untilMs).toISOString().slice(0, 16)}Z on.`;
    throw new Refusal(403, "permission_error", "needs_second_person", `${refusal.message}${end}`);
  }
  await change(context, request, async (transaction) => {
    const atMs = runtime.clock.nowMs();
    const applies = reason === null && found.bounds !== null;
    const status = reason !== null ? "declined" : applies ? "saved" : "approved";
    if (
      !(await limitApprovals.decide(transaction, id, "pending", {
        status,
        decided_at_ms: atMs,
        person,
        reason,
      }))
    )
      throw conflict("draft_id", `The draft "${id}" was already decided.`, "already_decided");
    if (applies && found.bounds)
      await limitApprovals.saveBounds(transaction, found.bounds, (await limitApprovals.since()) ?? atMs);
  });
  return findDraft(context, caller, id);
}
