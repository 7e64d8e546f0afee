import type { LoadOrder, LoadResult } from "./load";
import { cpuMicroseconds, residentMegabytes } from "./program";
import { type Scenario, titleOf } from "./scenarios";
import type { Target, Targets } from "./targets";

/** What one target did in one scenario: medians over the rounds. */
export interface Figures {
  readonly scenario: string;
  readonly target: Target["name"];
  /** Processor time of the server, user and system, for each reply. */
  readonly cpuUs: number;
  /** Against the bare proxy of the same round; 1 for the bare proxy. */
  readonly cpuRatio: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  /** Over the bare proxy of the same round. */
  readonly addedP50: number;
  readonly addedP99: number;
  readonly residentMb: number;
  /** Why the figures count for nothing: replies that were no whole 200s. */
  readonly voidBy: string | null;
}

type Round = Omit<Figures, "scenario" | "target" | "cpuRatio" | "addedP50" | "addedP99">;

/** Measures a scenario on all its targets, one after the other in each of the rounds. */
export async function measureScenario(
  { load, list }: Targets,
  scenario: Scenario,
  { rounds, durationMs }: { rounds: number; durationMs: number },
): Promise<Figures[]> {
  const targets = list.filter(({ name }) => scenario.targets.includes(name));
  const measured: Map<Target["name"], Round>[] = [];
  for (let round = 0; round < rounds; round++) {
    const results = new Map<Target["name"], Round>();
    for (const target of targets) {
      results.set(target.name, await measureOnce(load, target, scenario, durationMs));
    }
    measured.push(results);
  }
  return targets.map(({ name }) => summarize(titleOf(scenario), name, measured));
}

/** Full load for a while, so that the compiler has done its work. Nothing is kept of it. */
export async function warmUp({ load, list }: Targets, scenario: Scenario, durationMs: number): Promise<void> {
  for (const target of list) await measureOnce(load, target, scenario, durationMs);
}

async function measureOnce(
  load: Targets["load"],
  target: Target,
  { body, connections, perSecond }: Scenario,
  durationMs: number,
): Promise<Round> {
  const before = cpuMicroseconds(target.pid);
  const { url, headers } = target;
  load.send({ url, headers, body, connections, perSecond, durationMs } satisfies LoadOrder);
  const { replies, failures, elapsedMs, latencyMs } = await load.receive<LoadResult>();
  target.replies += replies;
  const failed = Object.entries(failures).map(([status, times]) => `${times} × ${status}`);
  return {
    cpuUs: (cpuMicroseconds(target.pid) - before) / replies,
    perSecond: (replies * 1_000) / elapsedMs,
    ...latencyMs,
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
  return {
    scenario,
    target,
    cpuUs: mid(({ own }) => own.cpuUs),
    cpuRatio: mid(({ own, bare }) => own.cpuUs / bare.cpuUs),
    perSecond: mid(({ own }) => own.perSecond),
    p50: mid(({ own }) => own.p50),
    p99: mid(({ own }) => own.p99),
    p999: mid(({ own }) => own.p999),
    addedP50: mid(({ own, bare }) => own.p50 - bare.p50),
    addedP99: mid(({ own, bare }) => own.p99 - bare.p99),
    residentMb: mid(({ own }) => own.residentMb),
    voidBy: pairs.find(({ own }) => own.voidBy)?.own.voidBy ?? null,
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
