import type { ChangeContext } from "../changes/change";
import { CachedRows, type TableCache } from "../changes/table-cache";
import type { SpendLimitContext } from "../ledger/spend-limits/spend-limits";
import type { ModelContext } from "../models/models";
import type { UserCache } from "../people/members";
import type { ModelPermissionContext } from "../projects/model-permissions";
import type { ProjectCache } from "../projects/projects";
import type { RateLimitCache, RateLimitContext } from "../rate-limits/rate-limits";
import type { RoleContext } from "../roles/roles";
import type { AccessRequestRecord, AccessRequestStore } from "./access-request-store.sql";

/** What was given for a time, in memory, so that checking for what is over needs no read. */
export class RunningGrants {
  readonly #rows = new CachedRows<AccessRequestRecord>();

  /** Those whose time is over, oldest first. */
  listOver(nowMs: number): AccessRequestRecord[] {
    return this.#rows.list().filter(({ endsAtMs }) => endsAtMs !== null && endsAtMs <= nowMs);
  }

  following(store: Pick<AccessRequestStore, "listRunning" | "findRunning">): TableCache {
    return this.#rows.following("access_requests", { list: store.listRunning, find: store.findRunning });
  }
}

export interface GrantContext
  extends ChangeContext,
    RateLimitContext,
    RoleContext,
    SpendLimitContext,
    ModelPermissionContext,
    Pick<ModelContext, "models"> {
  readonly accessRequests: AccessRequestStore;
  readonly runningGrants: RunningGrants;
  readonly catalogue: ModelContext["catalogue"];
  readonly rateLimitCache: RateLimitCache;
  readonly projectCache: ProjectCache;
  readonly userCache: UserCache;
}
