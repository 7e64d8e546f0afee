import type { Figures } from "../measure";
import type { Workload } from "../workloads";

type Row = Record<string, string | number>;

/**
 * A workload as a table with a row per target: latency added over the bare proxy for calls at a fixed rate, otherwise
 * absolute figures.
 */
export function formatFiguresTable(workload: Workload, figures: readonly Figures[]): Record<string, Row> {
  return Object.fromEntries(figures.map((row) => [row.target, toRow(workload, row)]));
}

function toRow({ perSecond, body, against }: Workload, row: Figures): Row {
  if (row.voidBy) return { "CPU µs": `void: ${row.voidBy}` };
  const isStream = body.includes('"stream":true');
  const { latencyMs, added, firstByteMs, addedToFirstByte } = row;
  return {
    "CPU µs": Number(row.cpuUs.toFixed(1)),
    [`÷ ${against}`]: Number(row.cpuRatio.toFixed(2)),
    "per second": Math.round(row.perSecond),
    // How busy one event loop is. A value far below 1 at saturation means that the target waited for load or provider.
    "cores busy": round((row.cpuUs * row.perSecond) / 1_000_000),
    "p50 ms": round(latencyMs.p50),
    ...(perSecond ? {} : { "p99 ms": round(latencyMs.p99), "p99.9 ms": round(latencyMs.p999) }),
    ...(perSecond
      ? { "added p50": round(added.p50), "added p99": round(added.p99), "added p99.9": round(added.p999) }
      : {}),
    ...(isStream
      ? { "first token": round(firstByteMs.p50), "added to it": round(addedToFirstByte.p50) }
      : {}),
    "RSS MB": row.residentMb,
    "foreign cores": round(row.foreignCores),
    ...(row.droppedRounds > 0 && { "rounds dropped": row.droppedRounds }),
  };
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
