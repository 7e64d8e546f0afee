import { type Figures, median } from "../measure";
import type { TargetName } from "../workloads";

/** A measured value with its limit and its goal. */
export interface Verdict {
  readonly what: string;
  readonly value: number;
  readonly limit: number;
  readonly goal: number;
  /**
   * Whether a value beyond the limit fails the run. Times depend on the machine and its load, so they are only
   * reported.
   */
  readonly isGate: boolean;
  readonly isAtLeast?: boolean;
}

interface Bound extends Omit<Verdict, "value"> {
  /** Undefined where the workload did not run or is void. */
  readValue(find: Find): number | undefined;
}

type Find = (workload: string, target: TargetName) => Figures | undefined;

/** The processor time of a workload's calls relative to its proxy. */
const cpuBound = (workload: string, what: string, limit: number, goal: number): Bound => ({
  what: `CPU of ${what}`,
  readValue: (find) => find(workload, "ours")?.cpuRatio,
  limit,
  goal,
  isGate: true,
});

const bounds: readonly Bound[] = [
  cpuBound("plain, 1 conn", "a plain call ÷ bare, 1 connection", 4, 3),
  cpuBound("plain, 32 conn", "a plain call ÷ bare, 32 connections", 2.2, 1.8),
  cpuBound("plain, 256 conn", "a plain call ÷ bare, 256 connections", 1.3, 1),
  cpuBound("plain over TLS, 32 conn", "a plain call ÷ bare, 32 connections, TLS to the provider", 2.2, 1.8),
  cpuBound("stream of 50, 32 conn", "a stream of 50 ÷ iterating, 32 connections", 1.4, 1.15),
  {
    what: "CPU of Portkey ÷ ours, plain, 32 connections",
    readValue(find) {
      const [peer, ours] = [find("plain, 32 conn", "portkey"), find("plain, 32 conn", "ours")];
      return (
        peer &&
        ours &&
        median(peer.cpuUsByRound.map((cpuUs, round) => cpuUs / (ours.cpuUsByRound[round] ?? 0)))
      );
    },
    limit: 15,
    goal: 20,
    isGate: true,
    isAtLeast: true,
  },
  {
    what: "added p50 of a plain call over bare, 1 connection, ms",
    readValue: (find) => find("plain, 1 conn", "ours")?.added.p50,
    limit: 0.6,
    goal: 0.35,
    isGate: false,
  },
  {
    what: "added p50 over bare at 3,000/s, ms",
    readValue: (find) => find("plain, 3000/s", "ours")?.added.p50,
    limit: 0.6,
    goal: 0.3,
    isGate: false,
  },
  {
    what: "added p99 over bare at 3,000/s, ms",
    readValue: (find) => find("plain, 3000/s", "ours")?.added.p99,
    limit: 3,
    goal: 1.2,
    isGate: false,
  },
  {
    what: "added p50 to a stream's first token, 1 connection, ms",
    readValue: (find) => find("stream of 50, 1 conn", "ours")?.addedToFirstByte.p50,
    limit: 0.1,
    goal: 0.03,
    isGate: false,
  },
  {
    what: "p99.9 of a plain call, 32 connections, ms",
    readValue: (find) => find("plain, 32 conn", "ours")?.latencyMs.p999,
    limit: 15,
    goal: 5,
    isGate: false,
  },
];

/** @param figures the figures of one run. */
export function judge(figures: readonly Figures[]): Verdict[] {
  const find: Find = (workload, target) =>
    figures.find((row) => row.workload === workload && row.target === target && row.voidBy === null);
  return bounds.flatMap(({ readValue: valueOf, ...bound }) => {
    const value = valueOf(find);
    return value === undefined ? [] : [{ ...bound, value }];
  });
}

export function isMissed({ value, limit, isGate, isAtLeast }: Verdict): boolean {
  return isGate && !isWithin(value, limit, isAtLeast);
}

/** The verdict as a row of a table. */
export function toTableRow(verdict: Verdict): Record<string, string | number> {
  const { what, value, limit, goal, isGate, isAtLeast } = verdict;
  const sign = isAtLeast ? "≥" : "≤";
  const reached = isWithin(value, limit, isAtLeast) ? "ok" : isGate ? "MISSED" : "beyond";
  return {
    what,
    value: Number(value.toFixed(2)),
    gate: isGate ? `${sign} ${limit}` : "",
    expected: isGate ? "" : `${sign} ${limit}`,
    goal: `${sign} ${goal}`,
    verdict: isWithin(value, goal, isAtLeast) ? "goal" : reached,
  };
}

/** NaN is never within a limit. */
function isWithin(value: number, limit: number, isAtLeast = false): boolean {
  return isAtLeast ? value >= limit : value <= limit;
}
