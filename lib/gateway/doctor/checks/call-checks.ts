import type { Database } from "bun:sqlite";
import { describeLimit, limitWindows, rateLimitRows } from "@/lib/contract/calls/rate-limit-table";
import { MAX_TASK_MS } from "@/lib/contract/durations";
import { firstIdAt } from "@/lib/contract/ids";
import { toNano } from "@/lib/money/amount";
import { computeCharge } from "@/lib/money/charge";
import { chargeBases } from "../../ledger/funds";
import { readAudioPrice, readAudioTokens, readClassUsage, readPriceClasses } from "../../ledger/ledger-row";
import {
  type Check,
  countRows,
  formatCount,
  formatNano,
  inRange,
  type LedgerRange,
  limitFaults,
  queryRows,
} from "./check";

export const HOLDS_RESOLVE_ONCE = "I3 a hold resolves at most once";

/** The SQL of calls that ended twice, on both engines. */
export function selectResolvedTwice(range: LedgerRange): string {
  // A call is written when it ends, under an id from its start. A task takes the longest.
  const since = firstIdAt("req", Math.max(0, range.from.atMs - MAX_TASK_MS));
  return `SELECT request_id, 'is charged, and its hold is open' AS what FROM holds
      WHERE 'txn_' || substr(request_id, 5) IN (SELECT id FROM ledger_entries)
    UNION ALL SELECT request_id, 'is logged as free, and its hold is open' FROM holds
      WHERE request_id IN (SELECT id FROM uncharged_calls)
    UNION ALL SELECT id, 'is logged as free, and is charged' FROM uncharged_calls
      WHERE id >= '${since}' AND 'txn_' || substr(id, 5) IN (SELECT id FROM ledger_entries)
    UNION SELECT request_id, 'is logged as free, and is charged' FROM ledger_entries
      WHERE ${inRange(range)} AND kind = 'charge' AND request_id IN (SELECT id FROM uncharged_calls)`;
}

export interface ResolvedTwice {
  readonly request_id: string;
  readonly what: string;
}

export const describeResolvedTwice = ({ request_id, what }: ResolvedTwice) =>
  `${request_id} ${what}. Look at what wrote it.`;

const holdsResolveOnce: Check = {
  title: HOLDS_RESOLVE_ONCE,
  run(database, _nowMs, range) {
    const twice = queryRows<ResolvedTwice>(database, selectResolvedTwice(range));
    return {
      checked: formatCount(countRows(database, "FROM holds"), "open hold"),
      faults: limitFaults(twice.map(describeResolvedTwice)),
    };
  },
};

export interface Charge {
  request_id: string;
  amount: bigint;
  held: bigint;
  variance: bigint;
  prompt_tokens: bigint;
  completion_tokens: bigint;
  input_per_1m: bigint;
  output_per_1m: bigint;
  rate: bigint;
  unit: string | null;
  units: bigint | null;
  unit_price: bigint | null;
  audio: string | null;
  cached_tokens: bigint | null;
  classes: string | null;
}

export const CHARGES_ARE_EXACT = "I4 no charge exceeds its hold, and each is usage × price × rate";

const chargesAreExact: Check = {
  title: CHARGES_ARE_EXACT,
  run(database, _nowMs, range) {
    const calls = database.query<Charge, []>(
      `SELECT charge.request_id, charge.amount, charge.held, charge.prompt_tokens, charge.completion_tokens,
         charge.input_per_1m, charge.output_per_1m, charge.rate, charge.unit, charge.units, charge.unit_price, charge.audio,
         charge.cached_tokens, charge.classes,
         coalesce(variance.amount, 0) AS variance
       FROM ledger_entries AS charge LEFT JOIN ledger_entries AS variance
         ON variance.kind = 'provider_variance' AND variance.request_id = charge.request_id
       WHERE ${inRange(range, "charge.seq")} AND charge.kind = 'charge'`,
    );
    const faults: string[] = [];
    let checkedCount = chargeBases.reduce((sum, basis) => sum + Number(range.from.charges[basis].calls), 0);
    for (const call of calls.iterate()) {
      checkedCount++;
      const fault = findChargeFault(call);
      if (fault) faults.push(fault);
    }
    return {
      checked: `${formatCount(checkedCount, "charge")} calculated again`,
      faults: limitFaults(faults),
    };
  },
};

/** What is wrong with a charge; null if nothing is. */
export function findChargeFault(call: Charge): string | null {
  const usage = {
    promptTokens: Number(call.prompt_tokens),
    completionTokens: Number(call.completion_tokens),
    units: Number(call.units ?? 0n),
    ...readAudioTokens(call.audio),
    cachedTokens: Number(call.cached_tokens ?? 0n),
    ...readClassUsage(call.classes),
  };
  const price = {
    inputPer1m: toNano(call.input_per_1m),
    outputPer1m: toNano(call.output_per_1m),
    rate: toNano(call.rate),
    ...(call.unit !== null && { perUnit: { unit: call.unit, amount: toNano(call.unit_price ?? 0n) } }),
    ...readAudioPrice(call.audio),
    ...readPriceClasses(call.classes),
  };
  const expectedCharge = computeCharge(usage, price);
  const cappedCharge = expectedCharge < call.held ? expectedCharge : call.held;
  if (call.amount > call.held)
    return `${call.request_id} is charged ${formatNano(call.amount)} of a hold of ${formatNano(call.held)}.`;
  if (call.amount !== cappedCharge)
    return `${call.request_id} is charged ${formatNano(call.amount)}; its usage and price make ${formatNano(cappedCharge)}.`;
  if (call.variance !== expectedCharge - cappedCharge)
    return `${call.request_id}: ${formatNano(call.variance)} are booked beyond its hold; its usage makes ${formatNano(expectedCharge - cappedCharge)}.`;
  return null;
}

export const NO_HOLD_IS_OVERDUE = "I9 no hold is open longer than its deadline";

export const selectOverdue = (nowMs: number) =>
  `SELECT request_id, deadline_at_ms FROM holds WHERE deadline_at_ms < ${Math.floor(nowMs)}`;

export interface Overdue {
  readonly request_id: string;
  readonly deadline_at_ms: bigint;
}

export const describeOverdue = ({ request_id, deadline_at_ms }: Overdue) =>
  `The hold of ${request_id} should have ended at ${new Date(Number(deadline_at_ms)).toISOString()}: restart the gateway, which resolves it.`;

const noHoldIsOverdue: Check = {
  title: NO_HOLD_IS_OVERDUE,
  run(database, nowMs) {
    const overdue = queryRows<Overdue>(database, selectOverdue(nowMs));
    return {
      checked: formatCount(countRows(database, "FROM holds"), "open hold"),
      faults: limitFaults(overdue.map(describeOverdue)),
    };
  },
};

export const callChecks: readonly Check[] = [holdsResolveOnce, chargesAreExact, noHoldIsOverdue];

export const HELD_IS_THE_SUM = "I13 the amount on hold is the sum of the open holds";

const heldIsTheSum: Check = {
  title: HELD_IS_THE_SUM,
  run(database) {
    if (!hasOwners(database)) return notYet;
    const accounts = queryRows<{ name: string; held: bigint; sum: bigint }>(
      database,
      `SELECT name, held, iif(name = 'balance', (SELECT coalesce(sum(amount), 0) FROM holds), 0) AS sum FROM accounts`,
    );
    const faults = accounts
      .filter(({ held, sum }) => held !== sum)
      .map(({ name, held, sum }) => {
        const otherFault = `The account ${name} says that ${formatNano(held)} are held, and only the balance is held from: its part is 0.`;
        const balanceFault = `The balance says that ${formatNano(held)} are held, the open holds add up to ${formatNano(sum)}: they differ by ${formatNano(held - sum)}.`;
        return `${name === "balance" ? balanceFault : otherFault} Look at what wrote it; restore a backup.`;
      });
    return { checked: `${formatNano(accounts.reduce((total, { held }) => total + held, 0n))} held`, faults };
  },
};

export const HOLDS_HAVE_OWNERS = "I14 each open hold has an owner with a lease";

export const SELECT_LOST_HOLDS =
  "SELECT request_id, owner FROM holds WHERE owner NOT IN (SELECT owner FROM leases)";

export interface LostHold {
  readonly request_id: string;
  readonly owner: string;
}

export const describeLostHold = ({ request_id, owner }: LostHold) =>
  `The hold of ${request_id} is ${owner}'s, who has no lease: nobody resolves it. Add the owner to leases with an end of 0, and the next start does.`;

const holdsHaveOwners: Check = {
  title: HOLDS_HAVE_OWNERS,
  run(database) {
    if (!hasOwners(database)) return notYet;
    const lostHolds = queryRows<LostHold>(database, SELECT_LOST_HOLDS);
    return {
      checked: `${formatCount(countRows(database, "FROM leases"), "owner")}, ${formatCount(countRows(database, "FROM holds"), "open hold")}`,
      faults: limitFaults(lostHolds.map(describeLostHold)),
    };
  },
};

const notYet = { checked: "no owners", faults: ["Holds have no owners yet: start Gatehouse once."] };

function hasOwners(database: Database): boolean {
  return countRows(database, "FROM sqlite_master WHERE name = 'leases'") > 0n;
}

export const holdChecks: readonly Check[] = [heldIsTheSum, holdsHaveOwners];

/** The log's times are slightly later than admission, so the checked window is slightly shorter. */
const MARGIN_MS = 1_000;

/** The limits on requests. Each request is a row of the request log. */
const windows = rateLimitRows
  .filter(({ counts }) => counts === "requests")
  .map(({ field, window }) => ({ field, words: describeLimit(field), ms: limitWindows[window].ms }));

interface Limit {
  project_id: string;
  model: string;
  max: bigint;
  updated_at_ms: bigint;
}

/**
 * Checks the requests admitted since a limit was last changed. Earlier limits, those that follow defaults, and tokens
 * (admitted on an estimate that is corrected later) can't be checked from the database.
 */
export const limitCheck: Check = {
  title: "I10 no window let through more requests than its limit",
  run(database) {
    const faults: string[] = [];
    let checkedCount = 0;
    for (const { field, words, ms } of windows) {
      const limits = queryRows<Limit>(
        database,
        `SELECT project_id, model, ${field} AS max, updated_at_ms FROM rate_limits
           WHERE ${field} IS NOT NULL AND own_fields LIKE '%"${field}"%'`,
      );
      for (const limit of limits) {
        checkedCount++;
        const max = findMaxWithin(database, limit, ms - MARGIN_MS);
        if (max <= Number(limit.max)) continue;
        faults.push(
          `${limit.project_id} had ${max} requests of ${limit.model} let through where its limit is ${limit.max} ${words}. Where the machine's clock was not set back meanwhile, something else used the database.`,
        );
      }
    }
    return {
      checked: `${formatCount(checkedCount, "limit")}, each since it was last changed`,
      faults: limitFaults(faults),
    };
  },
};

/** Returns the maximum number of calls within any window of this length since the limit was set. */
function findMaxWithin(database: Database, { project_id, model, updated_at_ms }: Limit, ms: number): number {
  const calls = database.query<{ at_ms: bigint }, [string, string, bigint]>(
    `SELECT at_ms FROM request_log WHERE project_id = ? AND model = ? AND at_ms >= ?
       AND outcome NOT IN ('refused', 'unsent') ORDER BY at_ms`,
  );
  const within: number[] = [];
  let first = 0;
  let max = 0;
  for (const { at_ms } of calls.iterate(project_id, model, updated_at_ms)) {
    within.push(Number(at_ms));
    while ((within[first] ?? 0) <= Number(at_ms) - ms) first++;
    max = Math.max(max, within.length - first);
  }
  return max;
}
