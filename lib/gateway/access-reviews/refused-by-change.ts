import { auditEvents, otherEvents } from "@/lib/contract/access/audit-events";
import { DAY_MS, HOUR_MS } from "@/lib/contract/durations";
import type { Operation } from "@/lib/contract/operation";
import { type OperationId, operations, operationTable } from "@/lib/contract/operation-table";
import { findCallerByKeyId } from "../access/authenticate";
import { authorize } from "../access/authorize";
import type { Caller } from "../access/caller";
import type { AuditLogReader, PastAction } from "../changes/audit/audit-log-reader.sql";
import type { ClockAndRandom } from "../clock";
import type { KeyCache } from "../keys/key-cache";
import { groupBy } from "../lists/group-by";
import type { UsageReader } from "../log/usage/usage-reader.sql";
import type { UserCache } from "../people/members";
import { Refusal } from "../refusal";
import type { AccessGraph } from "../roles/access-graph";

/** How many past days a change of access is tried on. */
export const REVIEWED_DAYS = 7;

export interface ReviewContext {
  readonly auditLog: Pick<AuditLogReader, "pastActions">;
  readonly usage: Pick<UsageReader, "sumCalls">;
  readonly keyCache: KeyCache;
  readonly userCache: UserCache;
  readonly graph: AccessGraph;
  readonly runtime: ClockAndRandom;
}

/** A change of who may do what, and the members and admin keys that it takes something from. */
interface AccessChange {
  readonly graphAfter: AccessGraph;
  readonly loserIds: readonly string[];
}

/** Calls of models that somebody made in a project in the reviewed days and could not make again. */
interface RefusedCalls {
  readonly actorId: string;
  readonly projectId: string;
  readonly calls: number;
}

/** Finds the past changes that would be refused now, the most frequent first. Reads leave no trace in the log. */
export async function findRefusedActions(
  context: ReviewContext,
  change: AccessChange,
): Promise<PastAction[]> {
  if (change.loserIds.length === 0) return [];
  const sinceMs = context.runtime.clock.nowMs() - REVIEWED_DAYS * DAY_MS;
  const actions = await context.auditLog.pastActions(change.loserIds, sinceMs);
  const findCallers = rememberCallers(context, change);
  return actions.filter((action) => {
    const { before, after } = findCallers(action.actorId);
    const allowed = findOperations(action).filter((one) => isAllowed(one, before, action.projectId));
    // Where several operations make the same event, only what none of them would allow counts.
    return allowed.length > 0 && !allowed.some((one) => isAllowed(one, after, action.projectId));
  });
}

/** Finds the past calls of models that would be refused now, the most frequent first. */
export async function findRefusedCalls(
  context: ReviewContext,
  change: AccessChange,
): Promise<RefusedCalls[]> {
  if (change.loserIds.length === 0) return [];
  const findCallers = rememberCallers(context, change);
  const totals = new Map<string, RefusedCalls>();
  for (const { group, requests } of await sumCalls(context, change.loserIds)) {
    const actorId = group.user_id ?? group.api_key_id;
    const projectId = group.project_id;
    if (!actorId || !projectId) continue;
    const { before, after } = findCallers(actorId);
    const call = operations.createChatCompletion;
    if (!isAllowed(call, before, projectId) || isAllowed(call, after, projectId)) continue;
    const name = `${actorId} ${projectId}`;
    totals.set(name, { actorId, projectId, calls: (totals.get(name)?.calls ?? 0) + requests });
  }
  return [...totals.values()].toSorted((one, other) => other.calls - one.calls);
}

/** The calls of models that keys made in the reviewed days: by key, and then by model. */
export async function sumCallsByModel(
  context: Pick<ReviewContext, "usage" | "runtime">,
  apiKeyIds: readonly string[],
): Promise<Map<string, Map<string, number>>> {
  const selection = { ...reviewedCalls(context), groupBy: ["api_key_id", "model"] as const, apiKeyIds };
  const sums = await context.usage.sumCalls(selection);
  const byKey = new Map<string, Map<string, number>>();
  for (const { group, requests } of sums) {
    const byModel = byKey.get(group.api_key_id ?? "") ?? new Map<string, number>();
    byModel.set(group.model ?? "", (byModel.get(group.model ?? "") ?? 0) + requests);
    byKey.set(group.api_key_id ?? "", byModel);
  }
  return byKey;
}

function reviewedCalls({ runtime }: Pick<ReviewContext, "runtime">) {
  const endS = Math.floor(runtime.clock.nowMs() / 1_000) + 1;
  // Whole hours at the beginning, which the sums have.
  const startS = Math.floor((endS * 1_000 - REVIEWED_DAYS * DAY_MS) / HOUR_MS) * (HOUR_MS / 1_000);
  const buckets = Array.from({ length: Math.ceil(((endS - startS) * 1_000) / HOUR_MS) }, (_, index) => ({
    startTime: startS + (index * HOUR_MS) / 1_000,
    endTime: Math.min(startS + ((index + 1) * HOUR_MS) / 1_000, endS),
  }));
  return { buckets, widthMs: HOUR_MS, chargedOnly: false };
}

async function sumCalls(context: ReviewContext, actorIds: readonly string[]) {
  const { usage } = context;
  const shared = reviewedCalls(context);
  const isMember = (id: string) => id.startsWith("user_");
  const userIds = actorIds.filter(isMember);
  const apiKeyIds = actorIds.filter((id) => !isMember(id));
  return [
    ...(userIds.length === 0
      ? []
      : await usage.sumCalls({ ...shared, groupBy: ["user_id", "project_id"], userIds })),
    ...(apiKeyIds.length === 0
      ? []
      : await usage.sumCalls({ ...shared, groupBy: ["api_key_id", "project_id"], apiKeyIds })),
  ];
}

/** Somebody as a caller now and after the change; null for a member or a key that is gone. */
function rememberCallers(context: ReviewContext, { graphAfter }: AccessChange) {
  const known = new Map<string, { before: Caller | null; after: Caller | null }>();
  return (id: string) => {
    const callers = known.get(id) ?? {
      before: findCallerByKeyId(context, id),
      after: findCallerByKeyId({ ...context, graph: graphAfter }, id),
    };
    known.set(id, callers);
    return callers;
  };
}

/** Operations whose events have a type of their own, besides that of the operation. */
const otherOperations: readonly (readonly [type: string, id: OperationId])[] = [
  [otherEvents.requestBodyRead, "retrieveRequestBody"],
  [otherEvents.paymentRequested, "createPayment"],
  [otherEvents.correctionRequested, "createCorrection"],
  [otherEvents.correctionApproved, "approvePendingPayment"],
  [otherEvents.correctionDeclined, "declinePendingPayment"],
  [otherEvents.approvalChangeRequested, "savePaymentApproval"],
  [otherEvents.approvalChangeDeclined, "declinePendingPayment"],
];

const operationsByEvent = groupBy(
  [...otherOperations, ...Object.entries(auditEvents).map(([id, type]) => [type, id] as const)],
  ([type]) => type,
);

/** The operations that can have made an event. */
function findOperations({ type, projectId, keyOf }: PastAction): Operation[] {
  const ids = (operationsByEvent.get(type) ?? []).map(([, id]) => id);
  const made = operationTable.filter(({ id }) => ids.includes(id));
  if (keyOf === "rotation") return [operations.rotateProjectApiKey];
  if (keyOf === "service_account") return [operations.createServiceAccountKey];
  const inPlace = made.filter(({ scope }) => (scope === "organization") === (projectId === null));
  return inPlace.length > 0 ? inPlace : made;
}

function isAllowed(operation: Operation, caller: Caller | null, projectId: string | null): boolean {
  if (!caller) return false;
  // What was found in any of the caller's projects was changed in this one.
  const scope = operation.scope === "any project" && projectId !== null ? "project" : operation.scope;
  try {
    authorize(
      { ...operation, scope },
      caller,
      projectId === null ? {} : { project_id: projectId },
      projectId,
    );
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
