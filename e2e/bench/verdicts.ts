import { type Figures, median } from "./measure";
import type { TargetName } from "./scenarios";

/** What a figure came to, beside what it must or should keep to. */
export interface Verdict {
  readonly what: string;
  readonly value: number;
  readonly limit: number;
  readonly goal: number;
  /** Whether the run fails beyond the limit. Times depend on the machine and its neighbours: they are reported, not gates. */
  readonly isGate: boolean;
  readonly isAtLeast?: boolean;
}

interface Bound extends Omit<Verdict, "value"> {
  /** Undefined where its scenario was not run, or is void. */
  valueOf(find: Find): number | undefined;
}

type Find = (scenario: string, target: TargetName) => Figures | undefined;

const bounds: readonly Bound[] = [
  {
    what: "CPU of a plain call ÷ bare, 32 connections",
    valueOf: (find) => find("plain, 32 conn", "ours")?.cpuRatio,
    limit: 1.9,
    goal: 1.5,
    isGate: true,
  },
  {
    what: "CPU of a stream of 50 ÷ bare, 32 connections",
    valueOf: (find) => find("stream of 50, 32 conn", "ours")?.cpuRatio,
    limit: 1.1,
    goal: 0.9,
    isGate: true,
  },
  {
    what: "CPU of Portkey ÷ ours, plain, 32 connections",
    valueOf(find) {
      const [peer, ours] = [find("plain, 32 conn", "portkey"), find("plain, 32 conn", "ours")];
      return (
        peer &&
        ours &&
        median(peer.cpuUsByRound.map((cpuUs, round) => cpuUs / (ours.cpuUsByRound[round] ?? 0)))
      );
    },
    limit: 12,
    goal: 16,
    isGate: true,
    isAtLeast: true,
  },
  {
    what: "added p50 over bare at 3,000/s, ms",
    valueOf: (find) => find("plain, 3000/s", "ours")?.added.p50,
    limit: 0.6,
    goal: 0.3,
    isGate: false,
  },
  {
    what: "added p99 over bare at 3,000/s, ms",
    valueOf: (find) => find("plain, 3000/s", "ours")?.added.p99,
    limit: 3,
    goal: 1.2,
    isGate: false,
  },
  {
    what: "added p50 to a stream's first token, 1 connection, ms",
    valueOf: (find) => find("stream of 50, 1 conn", "ours")?.addedToFirstByte.p50,
    limit: 0.1,
    goal: 0.03,
    isGate: false,
  },
  {
    what: "p99.9 of a plain call, 32 connections, ms",
    valueOf: (find) => find("plain, 32 conn", "ours")?.latencyMs.p999,
    limit: 15,
    goal: 5,
    isGate: false,
  },
];

/** @param figures of one run. */
export function judge(figures: readonly Figures[]): Verdict[] {
  const find: Find = (scenario, target) =>
    figures.find((row) => row.scenario === scenario && row.target === target && row.voidBy === null);
  return bounds.flatMap(({ valueOf, ...bound }) => {
    const value = valueOf(find);
    return value === undefined ? [] : [{ ...bound, value }];
  });
}

export function isMissed({ value, limit, isGate, isAtLeast }: Verdict): boolean {
  return isGate && !isWithin(value, limit, isAtLeast);
}

/** As a row of a table. */
export function rowOf(verdict: Verdict): Record<string, string | number> {
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

/** Not a number is within nothing. */
function isWithin(value: number, limit: number, isAtLeast = false): boolean {
  return isAtLeast ? value >= limit : value <= limit;
}
