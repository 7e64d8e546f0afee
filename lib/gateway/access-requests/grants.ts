import { systemChange } from "../changes/change";
import type { Transaction } from "../changes/transactions.sql";
import type { Actor } from "../roles/actor";
import { allowModel, disallowModel, type GrantContext, giveRole, takeRole } from "./access-grants";
import type { AccessRequestRecord } from "./access-request-store.sql";
import { lowerLimits, lowerSpendLimit, raiseLimits, raiseSpendLimit } from "./limit-grants";

/** Grants a request. @returns the values to restore at its end. @throws Refusal if granted already, 403 or 404. */
export function give(
  context: GrantContext,
  transaction: Transaction,
  actor: Actor,
  { asked, maker }: AccessRequestRecord,
): Promise<AccessRequestRecord["given"]> {
  switch (asked.kind) {
    case "rate_limits":
      return raiseLimits(context, transaction, asked);
    case "spend_limit":
      return raiseSpendLimit(context, transaction, asked);
    case "model":
      return allowModel(context, transaction, actor, asked);
    case "permission":
      return giveRole(context, transaction, actor, maker.id, asked);
  }
}

/** @returns what was left alone, because somebody has changed it since. */
function takeBack(
  context: GrantContext,
  transaction: Transaction,
  grant: AccessRequestRecord,
): Promise<string[]> {
  const { asked } = grant;
  switch (asked.kind) {
    case "rate_limits":
      return lowerLimits(context, transaction, grant, asked);
    case "spend_limit":
      return lowerSpendLimit(context, transaction, grant, asked);
    case "model":
      return disallowModel(context, transaction, grant, asked);
    case "permission":
      return takeRole(context, transaction, grant);
  }
}

/** Takes back whatever was given for a time that is over. One that fails is tried again, and holds up no other. */
export async function endGrants(context: GrantContext): Promise<void> {
  const { changes, runningGrants, runtime } = context;
  for (const { id } of runningGrants.listOver(runtime.clock.nowMs()))
    await endGrant(context, id).catch((error: unknown) => changes.logFault("access given for a time", error));
}

/** Looks it up again in the transaction, since another process may have ended it first. */
async function endGrant(context: GrantContext, id: string): Promise<void> {
  const { accessRequests, runtime } = context;
  await systemChange(context, "access given for a time", async (transaction) => {
    const grant = await accessRequests.findRunning(id);
    if (!grant) return;
    const leftAlone = await takeBack(context, transaction, grant);
    await accessRequests.end(transaction, id, { atMs: runtime.clock.nowMs(), leftAlone });
  });
}
