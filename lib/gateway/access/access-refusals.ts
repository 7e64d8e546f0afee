import { DAY_MS, MINUTE_MS } from "@/lib/contract/durations";
import { newId } from "@/lib/contract/ids";
import { type ChangeContext, systemChange } from "../changes/change";
import type { ClockAndRandom } from "../clock";
import { Refusal } from "../refusal";
import type { AccessRefusalRecord, AccessRefusalStore, RefusedCallerKind } from "./access-refusal-store.sql";
import type { Caller } from "./caller";

/**
 * The most rows for one source: a caller, or everyone without a valid key. Further refusals go into one row per minute
 * and code.
 */
const ROWS_A_MINUTE = 20;
const ROWS_A_DAY = 1_000;
const countedStatuses: ReadonlySet<number> = new Set([401, 403]);

/** A refused request. It holds no text that the caller chose. */
export interface RefusedAccess {
  readonly caller: Caller | null;
  readonly operation: string;
  readonly projectId: string | null;
  readonly ip: string | null;
  readonly requestId: string;
}

type Row = { -readonly [Field in keyof AccessRefusalRecord]: AccessRefusalRecord[Field] };

/**
 * Counts refused access in memory, so that no reply waits for a write and a flood of refusals can't fill the disk. Call
 * `flush` about once a second, and when the gateway closes.
 */
export class AccessRefusals {
  /** Keyed by the fields that the refusals of one minute share; `refusals` counts those not stored yet. */
  readonly #rows = new Map<string, Row>();
  /** How many rows each source has in this minute and on this day. */
  readonly #inMinute = new Map<string, number>();
  readonly #inDay = new Map<string, number>();
  #minute = -1;
  #day = -1;

  constructor(
    private readonly store: Pick<AccessRefusalStore, "add">,
    private readonly context: ChangeContext,
    private readonly runtime: Pick<ClockAndRandom, "clock" | "random">,
  ) {}

  /** Counts an error if it refuses access; ignores any other. */
  record(error: unknown, access: RefusedAccess): void {
    if (!(error instanceof Refusal) || !countedStatuses.has(error.status)) return;
    const nowMs = this.runtime.clock.nowMs();
    this.#beginPeriods(nowMs);
    const { caller, operation, projectId, ip } = access;
    const source = caller?.keyId ?? "";
    const overflowName = `${this.#minute} ${source} ${error.code}`;
    const name = `${overflowName} ${operation} ${projectId} ${ip}`;
    const existing = this.#rows.get(name);
    if (existing) return count(existing, nowMs);
    if (this.#takeRow(source)) {
      this.#rows.set(name, this.#newRow(error, access, nowMs));
      return;
    }
    const overflowRow = this.#rows.get(overflowName);
    if (overflowRow) return count(overflowRow, nowMs);
    this.#rows.set(
      overflowName,
      this.#newRow(error, { ...access, operation: null, projectId: null, ip: null }, nowMs),
    );
  }

  /** Stores what was counted. @throws Error of the store; what was not stored stays counted. */
  async flush(): Promise<void> {
    const minute = Math.floor(this.runtime.clock.nowMs() / MINUTE_MS);
    const pending: { row: Row; refusals: number }[] = [];
    for (const [name, row] of this.#rows) {
      if (row.refusals > 0) pending.push({ row, refusals: row.refusals });
      else if (row.firstAtMs < minute * MINUTE_MS) this.#rows.delete(name);
      row.refusals = 0;
    }
    if (pending.length === 0) return;
    try {
      await systemChange(this.context, "access refusals", async (transaction) => {
        for (const { row, refusals } of pending) await this.store.add(transaction, { ...row, refusals });
      });
    } catch (error) {
      for (const { row, refusals } of pending) row.refusals += refusals;
      throw error;
    }
  }

  #beginPeriods(nowMs: number): void {
    const [minute, day] = [Math.floor(nowMs / MINUTE_MS), Math.floor(nowMs / DAY_MS)];
    if (minute !== this.#minute) this.#inMinute.clear();
    if (day !== this.#day) this.#inDay.clear();
    this.#minute = minute;
    this.#day = day;
  }

  #takeRow(source: string): boolean {
    const inMinute = this.#inMinute.get(source) ?? 0;
    const inDay = this.#inDay.get(source) ?? 0;
    if (inMinute >= ROWS_A_MINUTE || inDay >= ROWS_A_DAY) return false;
    this.#inMinute.set(source, inMinute + 1);
    this.#inDay.set(source, inDay + 1);
    return true;
  }

  #newRow(
    { status, code }: Refusal,
    { caller, ...access }: Omit<RefusedAccess, "operation"> & { readonly operation: string | null },
    nowMs: number,
  ): Row {
    const { random } = this.runtime;
    return {
      ...access,
      id: newId("refusal", nowMs, random),
      firstAtMs: nowMs,
      lastAtMs: nowMs,
      caller: caller && { kind: findCallerKind(caller), id: caller.keyId, name: caller.name },
      status,
      code,
      refusals: 1,
    };
  }
}

function count(row: Row, nowMs: number): void {
  row.refusals++;
  row.lastAtMs = nowMs;
}

function findCallerKind({ holder, projectId }: Caller): RefusedCallerKind {
  if (holder.kind === "user") return "user";
  return projectId === null ? "admin_key" : "project_key";
}
