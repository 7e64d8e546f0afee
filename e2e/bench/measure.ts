import type { LoadOrder, LoadResult, Percentiles } from "./load";
import { cpuMicroseconds, residentMegabytes } from "./program";
import { type Scenario, titleOf } from "./scenarios";
import type { Target, Targets } from "./targets";

/** What one target did in one scenario: medians over the rounds. */
export interface Figures {
  readonly scenario: string;
  readonly target: Target["name"];
  /** Processor time of the server, user and system with all its threads, for each reply. */
  readonly cpuUs: number;
  readonly cpuUsByRound: readonly number[];
  /** Against the bare proxy of the same round; 1 for the bare proxy. */
  readonly cpuRatio: number;
  readonly perSecond: number;
  readonly latencyMs: Percentiles;
  readonly firstByteMs: Percentiles;
  /** Latency over the bare proxy's of the same round. */
  readonly added: Percentiles;
  readonly addedToFirstByte: Percentiles;
  readonly residentMb: number;
  /** Why the figures count for nothing: replies that were no whole 200s. */
  readonly voidBy: string | null;
}

interface Round {
  readonly cpuUs: number;
  readonly perSecond: number;
  readonly latencyMs: Percentiles;
  readonly firstByteMs: Percentiles;
  readonly residentMb: number;
  readonly voidBy: string | null;
}

interface Effort {
  readonly rounds: number;
  readonly durationMs: number;
}

/** Measures a scenario on all its targets, one after the other in each of the rounds. */
export async function measureScenario(
  targets: Targets,
  scenario: Scenario,
  effort: Effort,
): Promise<Figures[]> {
  const { rounds, durationMs } = effort;
  const chosen = chosenOf(targets, scenario);
  const measured: Map<Target["name"], Round>[] = [];
  for (let round = 0; round < rounds; round++) {
    const results = new Map<Target["name"], Round>();
    for (const target of chosen) {
      results.set(target.name, await measureOnce(targets, target, scenario, durationMs));
    }
    measured.push(results);
  }
  return chosen.map(({ name }) => summarize(titleOf(scenario), name, measured));
}

/** Full load for a while, so that the compiler has done its work. Nothing is kept of it. */
export async function warmUp(targets: Targets, scenario: Scenario, durationMs: number): Promise<void> {
  const { perSecond: _, ...saturated } = { ...scenario, connections: 32 };
  for (let times = 0; times < 2; times++) {
    for (const target of chosenOf(targets, scenario))
      await measureOnce(targets, target, saturated, durationMs);
  }
}

function chosenOf({ list }: Targets, scenario: Scenario): Target[] {
  return list.filter(({ name }) => scenario.targets.includes(name));
}

async function measureOnce(
  { load }: Targets,
  target: Target,
  { body, connections, perSecond }: Scenario,
  durationMs: number,
): Promise<Round> {
  const before = cpuMicroseconds(target.pid);
  const { url, headers } = target;
  load.send({ url, headers, body, connections, perSecond, durationMs } satisfies LoadOrder);
  const { replies, failures, elapsedMs, latencyMs, firstByteMs } = await load.receive<LoadResult>();
  target.replies += replies;
  const failed = Object.entries(failures).map(([status, times]) => `${times} × ${status}`);
  return {
    cpuUs: (cpuMicroseconds(target.pid) - before) / replies,
    perSecond: (replies * 1_000) / elapsedMs,
    latencyMs,
    firstByteMs,
    residentMb: residentMegabytes(target.pid),
    voidBy: failed.length === 0 ? null : failed.join(", "),
  };
}

function summarize(
  scenario: string,
  target: Target["name"],
  measured: readonly ReadonlyMap<Target["name"], Round>[],
): Figures {
  const pairs = measured.flatMap((results) => {
    const [own, bare] = [results.get(target), results.get("bare")];
    return own && bare ? [{ own, bare }] : [];
  });
  const mid = (of: (pair: { own: Round; bare: Round }) => number) => median(pairs.map(of));
  const midOfEach = (of: (pair: { own: Round; bare: Round }, share: keyof Percentiles) => number) => ({
    p50: mid((pair) => of(pair, "p50")),
    p99: mid((pair) => of(pair, "p99")),
    p999: mid((pair) => of(pair, "p999")),
  });
  return {
    scenario,
    target,
    cpuUs: mid(({ own }) => own.cpuUs),
    cpuUsByRound: pairs.map(({ own }) => own.cpuUs),
    cpuRatio: mid(({ own, bare }) => own.cpuUs / bare.cpuUs),
    perSecond: mid(({ own }) => own.perSecond),
    latencyMs: midOfEach(({ own }, share) => own.latencyMs[share]),
    firstByteMs: midOfEach(({ own }, share) => own.firstByteMs[share]),
    added: midOfEach(({ own, bare }, share) => own.latencyMs[share] - bare.latencyMs[share]),
    addedToFirstByte: midOfEach(({ own, bare }, share) => own.firstByteMs[share] - bare.firstByteMs[share]),
    residentMb: mid(({ own }) => own.residentMb),
    voidBy: pairs.find(({ own }) => own.voidBy)?.own.voidBy ?? null,
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
