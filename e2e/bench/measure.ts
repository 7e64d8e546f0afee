import { residentMegabytes } from "../support/programs/process-memory";
import type { LoadOrder, LoadResult, Percentiles } from "./load/load";
import { readCompilerMicroseconds, readCpuMicroseconds, readMachineMicroseconds } from "./program";
import type { Target, Targets } from "./targets";
import { formatWorkload, type Workload } from "./workloads";

/** The results of one target in one workload: medians over the rounds. */
export interface Figures {
  readonly workload: string;
  readonly target: Target["name"];
  /** Processor time of the server per reply: user and system time of all its threads. */
  readonly cpuUs: number;
  readonly cpuUsByRound: readonly number[];
  /** Relative to the workload's proxy in the same round; 1 for the proxy itself. */
  readonly cpuRatio: number;
  readonly perSecond: number;
  readonly latencyMs: Percentiles;
  readonly firstByteMs: Percentiles;
  /** Latency minus the proxy's in the same round. */
  readonly added: Percentiles;
  readonly addedToFirstByte: Percentiles;
  readonly residentMb: number;
  /** Cores that other programs used meanwhile, and the rounds that were dropped because that was too much. */
  readonly foreignCores: number;
  readonly droppedRounds: number;
  /** Why the figures are void: the replies that were not whole 200s. */
  readonly voidBy: string | null;
}

interface Round {
  readonly cpuUs: number;
  readonly perSecond: number;
  readonly latencyMs: Percentiles;
  readonly firstByteMs: Percentiles;
  readonly residentMb: number;
  readonly foreignCores: number;
  readonly voidBy: string | null;
}

type RoundOfEach = Map<Target["name"], Round>;

interface Effort {
  readonly rounds: number;
  readonly durationMs: number;
  /** Whether rounds count even if other programs used more than half a core. */
  readonly isAnyNoise: boolean;
}

/** A round in which other programs use more cores than this measures them, and is dropped. */
const MAX_FOREIGN_CORES = 0.5;
/** The most attempts for each requested round until one is quiet enough. */
const TRIES_A_ROUND = 3;
/** The just-in-time compilers are done once they use less than this share of a core. */
const IDLE_COMPILER_CORES = 0.02;
const MAX_WARMUP_PASSES = 12;
const TOO_NOISY = "other programs took more than half a core in every round";

/** Measures a workload on all its targets, which take turns in each round. */
export async function measureWorkload(
  targets: Targets,
  workload: Workload,
  effort: Effort,
): Promise<Figures[]> {
  const { rounds, durationMs, isAnyNoise } = effort;
  const chosen = chooseTargets(targets, workload);
  const measured: RoundOfEach[] = [];
  let dropped = 0;
  while (measured.length < rounds && measured.length + dropped < rounds * TRIES_A_ROUND) {
    const results: RoundOfEach = new Map();
    for (const target of chosen) {
      results.set(target.name, await measureOnce(targets, target, workload, durationMs));
    }
    const isQuiet = [...results.values()].every(({ foreignCores }) => foreignCores <= MAX_FOREIGN_CORES);
    if (isQuiet || isAnyNoise) measured.push(results);
    else dropped++;
  }
  return chosen.map(({ name }) => summarize(workload, name, measured, dropped));
}

/** Runs at full load until the just-in-time compilers are idle, and discards the results. */
export async function warmUp(targets: Targets, workload: Workload, durationMs: number): Promise<void> {
  const { perSecond: _, ...saturated } = { ...workload, connections: 32 };
  for (const target of chooseTargets(targets, workload)) {
    let idlePasses = 0;
    for (let pass = 0; pass < MAX_WARMUP_PASSES && idlePasses < 2; pass++) {
      const before = readCompilerMicroseconds(target.pid);
      await measureOnce(targets, target, saturated, durationMs);
      const cores = (readCompilerMicroseconds(target.pid) - before) / (durationMs * 1_000);
      idlePasses = Math.abs(cores) < IDLE_COMPILER_CORES ? idlePasses + 1 : 0;
    }
  }
}

function chooseTargets({ list }: Targets, workload: Workload): Target[] {
  return list.filter(({ name }) => workload.targets.includes(name));
}

async function measureOnce(
  { load, pids }: Targets,
  target: Target,
  { body, connections, perSecond }: Workload,
  durationMs: number,
): Promise<Round> {
  const before = readCpuMicroseconds(target.pid);
  const foreignBefore = foreignMicroseconds(pids);
  const { url, headers } = target;
  load.send({ url, headers, body, connections, perSecond, durationMs } satisfies LoadOrder);
  const { replies, failures, elapsedMs, latencyMs, firstByteMs } = await load.receive<LoadResult>();
  target.replies += replies;
  const failed = Object.entries(failures).map(([status, times]) => `${times} × ${status}`);
  return {
    cpuUs: (readCpuMicroseconds(target.pid) - before) / replies,
    perSecond: (replies * 1_000) / elapsedMs,
    latencyMs,
    firstByteMs,
    residentMb: residentMegabytes(target.pid),
    foreignCores: (foreignMicroseconds(pids) - foreignBefore) / (elapsedMs * 1_000),
    voidBy: failed.length === 0 ? null : failed.join(", "),
  };
}

/** The processor time that all other programs have used. */
export function foreignMicroseconds(pids: readonly number[]): number {
  return pids.reduce((left, pid) => left - readCpuMicroseconds(pid), readMachineMicroseconds());
}

function summarize(
  workload: Workload,
  target: Target["name"],
  measured: readonly RoundOfEach[],
  droppedRounds: number,
): Figures {
  const pairs = measured.flatMap((results) => {
    const [own, bare] = [results.get(target), results.get(workload.against)];
    return own && bare ? [{ own, bare }] : [];
  });
  const mid = (pick: (pair: { own: Round; bare: Round }) => number) => median(pairs.map(pick));
  const midOfEach = (pick: (pair: { own: Round; bare: Round }, share: keyof Percentiles) => number) => ({
    p50: mid((pair) => pick(pair, "p50")),
    p99: mid((pair) => pick(pair, "p99")),
    p999: mid((pair) => pick(pair, "p999")),
  });
  return {
    workload: formatWorkload(workload),
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
    foreignCores: mid(({ own }) => own.foreignCores),
    droppedRounds,
    voidBy: pairs.find(({ own }) => own.voidBy)?.own.voidBy ?? (pairs.length > 0 ? null : TOO_NOISY),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
