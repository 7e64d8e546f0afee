import { type RateLimitField, rateLimitFields, rateLimitTable } from "@/lib/contract/calls/rate-limit-table";
import { MAX_SPEND_CENTS, suggestLimit } from "@/lib/contract/calls/suggest-limit";
import type { RateLimitChange } from "@/lib/contract/operations/models/rate-limits";
import { formatCents, NANO_PER_CENT, toNano } from "@/lib/money/amount";
import type { Caller } from "../access/caller";
import type { Transaction } from "../changes/transactions.sql";
import { findLimitedModel, setLimits } from "../rate-limits/rate-limits";
import { conflict, invalid, missingPermission } from "../refusal";
import type { Scope } from "../scope";
import type { GrantContext } from "./access-grants";
import { type AccessRequestRecord, type AskedOf, NOTHING_GIVEN } from "./access-request-store.sql";

/** The least spend limit that is suggested: 10.00. */
const LEAST_CENTS = 1_000;

/** @throws Refusal 400 for a limit that isn't higher than the present one; 404. */
export function readLimits(
  context: GrantContext,
  projectId: string,
  named: string,
  limits: RateLimitChange,
): AskedOf<"rate_limits"> {
  const { id: model } = findLimitedModel(context.catalogue, named);
  const asked: AskedOf<"rate_limits"> = { kind: "rate_limits", projectId, model, limits };
  const [field] = findNotMore(context, asked);
  if (field === undefined) return asked;
  throw invalid(`limits.${field}`, `${describePresent(context, asked, field)}: ask for more than that.`);
}

/** The limits of a request that are no higher than the present ones. */
function findNotMore(context: GrantContext, { projectId, model, limits }: AskedOf<"rate_limits">) {
  const present = context.rateLimitCache.effectiveLimits(
    projectId,
    findLimitedModel(context.catalogue, model),
  );
  return rateLimitFields.filter((field) => {
    const [asked, now] = [limits[field], present[field]];
    return asked !== undefined && (now === null || (asked !== null && asked <= now));
  });
}

function describePresent(
  { rateLimitCache, catalogue }: GrantContext,
  { projectId, model }: AskedOf<"rate_limits">,
  field: RateLimitField,
): string {
  const now = rateLimitCache.effectiveLimits(projectId, findLimitedModel(catalogue, model))[field];
  const { label } = rateLimitTable[field].words;
  return `${label} ${now === null ? "has no limit already" : `is ${now} already`}`;
}

/** Sets the limits that were asked for. @returns what they were. @throws Refusal 409 if they are as high by now. */
export async function raiseLimits(
  context: GrantContext,
  transaction: Transaction,
  asked: AskedOf<"rate_limits">,
): Promise<AccessRequestRecord["given"]> {
  const { projectId, model: named, limits } = asked;
  const [field] = findNotMore(context, asked);
  if (field !== undefined)
    throw conflict("access_request_id", `${describePresent(context, asked, field)}. Decline the request.`);
  const model = findLimitedModel(context.catalogue, named);
  const limitsBefore = pick(context.rateLimitCache.effectiveLimits(projectId, model), limits);
  await setLimits(context, transaction, { projectId, model }, limits);
  return { ...NOTHING_GIVEN, limitsBefore };
}

/**
 * Sets the limits back, except those that somebody has changed since. A limit on which a later grant builds stays until
 * that one ends, which then sets it back to what it was before both.
 * @returns the fields that were left alone.
 */
export async function lowerLimits(
  context: GrantContext,
  transaction: Transaction,
  { id, given: { limitsBefore } }: AccessRequestRecord,
  { projectId, model: named, limits }: AskedOf<"rate_limits">,
): Promise<string[]> {
  const { accessRequests, rateLimitCache, catalogue } = context;
  const model = catalogue.find(named);
  if (!model || limitsBefore === null) return Object.keys(limits);
  const present = rateLimitCache.effectiveLimits(projectId, model);
  const later = (await accessRequests.listRunning()).filter(
    ({ id: other, asked }) =>
      other !== id && asked.kind === "rate_limits" && asked.projectId === projectId && asked.model === named,
  );
  const [change, left]: [RateLimitChange, string[]] = [{}, []];
  for (const field of rateLimitFields) {
    const given = limits[field];
    if (given === undefined) continue;
    const builtOn = later.find((grant) => grant.given.limitsBefore?.[field] === given);
    if (builtOn) {
      const before = { ...builtOn.given.limitsBefore, ...pick(limitsBefore, { [field]: given }) };
      await accessRequests.saveGiven(transaction, builtOn.id, { ...builtOn.given, limitsBefore: before });
    } else if (present[field] === given) Object.assign(change, pick(limitsBefore, { [field]: given }));
    else left.push(field);
  }
  if (Object.keys(change).length > 0) await setLimits(context, transaction, { projectId, model }, change);
  return left;
}

/** The fields of `values` that `fields` has. */
function pick(values: RateLimitChange, fields: RateLimitChange): RateLimitChange {
  return Object.fromEntries(
    rateLimitFields.flatMap((field) => (fields[field] === undefined ? [] : [[field, values[field]]])),
  );
}

/** The present spend limit in cents; null without one. */
export function findSpendCents(
  { spendTracker, runtime }: Pick<GrantContext, "spendTracker" | "runtime">,
  scope: Scope,
): number | null {
  const found = spendTracker.find(scope, runtime.clock.nowMs());
  return found && Number(found.limit / NANO_PER_CENT);
}

/**
 * Reads a request for a higher spend limit; without an amount it is suggested.
 * @throws Refusal 409 where there is no limit; 400 for what isn't more; 403 for an amount by who may not read it.
 */
export function readSpendLimit(
  context: GrantContext,
  caller: Pick<Caller, "permissionsIn">,
  projectId: Scope,
  named: number | undefined,
): AskedOf<"spend_limit"> {
  const now = findSpendCents(context, projectId);
  if (now === null) throw conflict("spend_limit", "There is no spend limit by now: try the call again.");
  if (named === undefined) {
    const suggested = suggestLimit({ limit: now, used: 0, needed: 0 }, LEAST_CENTS);
    const cents = Math.min(suggested, MAX_SPEND_CENTS);
    if (cents <= now) throw conflict("spend_limit", "The spend limit is the highest that there can be.");
    return { kind: "spend_limit", projectId, cents };
  }
  if (!caller.permissionsIn(projectId).has("api.spend_limits.read"))
    throw missingPermission("api.spend_limits.read");
  if (named > now) return { kind: "spend_limit", projectId, cents: named };
  const message = `The spend limit is ${formatCents(now)} already: ask for more than that.`;
  throw invalid("spend_limit.threshold_amount", message);
}

/** Sets the spend limit that was asked for. @throws Refusal 409 if it is as high by now, or removed. */
export async function raiseSpendLimit(
  context: GrantContext,
  transaction: Transaction,
  { projectId, cents }: AskedOf<"spend_limit">,
): Promise<AccessRequestRecord["given"]> {
  const now = findSpendCents(context, projectId);
  if (now === null || now >= cents) {
    const present =
      now === null ? "There is no spend limit by now" : `The spend limit is ${formatCents(now)}`;
    throw conflict("access_request_id", `${present}. Decline the request.`);
  }
  await saveCents(context, transaction, projectId, cents);
  return { ...NOTHING_GIVEN, centsBefore: now };
}

/** Sets the spend limit back as `lowerLimits` does with rate limits. @returns its name if it was left alone. */
export async function lowerSpendLimit(
  context: GrantContext,
  transaction: Transaction,
  { id, given: { centsBefore } }: AccessRequestRecord,
  { projectId, cents }: AskedOf<"spend_limit">,
): Promise<string[]> {
  const builtOn = (await context.accessRequests.listRunning()).find(
    ({ id: other, asked, given }) =>
      other !== id &&
      asked.kind === "spend_limit" &&
      asked.projectId === projectId &&
      given.centsBefore === cents,
  );
  if (builtOn) {
    await context.accessRequests.saveGiven(transaction, builtOn.id, { ...builtOn.given, centsBefore });
    return [];
  }
  if (centsBefore === null || findSpendCents(context, projectId) !== cents) return ["spend_limit"];
  await saveCents(context, transaction, projectId, centsBefore);
  return [];
}

async function saveCents(
  { spendLimits, runtime }: GrantContext,
  transaction: Transaction,
  scope: Scope,
  cents: number,
): Promise<void> {
  const limit = toNano(BigInt(cents) * NANO_PER_CENT);
  await spendLimits.save(transaction, { scope, limit }, runtime.clock.nowMs());
}
