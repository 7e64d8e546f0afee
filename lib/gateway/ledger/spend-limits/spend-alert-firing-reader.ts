import type { PagedList } from "../../lists/paged-list";
import type { Scope } from "../../scope";
import type { SpendAlertFiringRecord } from "./spend-alert-store";

/** A firing and the state of its callback; null if it has none. */
export interface FiringWithCallback extends SpendAlertFiringRecord {
  readonly delivery: {
    readonly status: "pending" | "delivered" | "exhausted";
    readonly tries: number;
    readonly triedAtMs: number | null;
    readonly dueAtMs: number | null;
    readonly failure: string | null;
  } | null;
}

/** Which firings to list: those of one scope, or all if it is undefined. */
interface FiringFilter {
  readonly scope?: Scope | undefined;
  readonly monthStartMs?: number | undefined;
}

export interface SpendAlertFiringReader {
  find(id: string): Promise<FiringWithCallback | null>;
  /** Oldest first. */
  pages(filter: FiringFilter): PagedList<FiringWithCallback>;
}
