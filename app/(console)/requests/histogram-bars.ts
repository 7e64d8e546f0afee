import { formatTimeLabel } from "@/components/ui/chart/format-time-label";
import { formatCount } from "@/components/ui/values/group-digits";
import { DAY_S } from "@/lib/contract/durations";
import type { RequestHistogram, RequestOutcome } from "@/lib/contract/operations/calls/requests";

/** The outcomes that are drawn in one color. */
export const outcomeGroups = [
  { id: "completed", label: "completed", outcomes: ["completed"], fill: "fill-accent", dot: "bg-accent" },
  {
    id: "unfinished",
    label: "unfinished",
    outcomes: ["client_gone", "unsent", "in_progress"],
    fill: "fill-muted",
    dot: "bg-muted",
  },
  {
    id: "failed",
    label: "failed",
    outcomes: ["provider_failed", "interrupted"],
    fill: "fill-warning",
    dot: "bg-warning",
  },
  { id: "refused", label: "refused", outcomes: ["refused"], fill: "fill-danger", dot: "bg-danger" },
] as const satisfies readonly { outcomes: readonly RequestOutcome[]; [word: string]: unknown }[];

type OutcomeGroup = (typeof outcomeGroups)[number]["id"];

/** The calls of one bucket: from `from` until before `to`, in Unix seconds. */
export interface Bar {
  readonly from: number;
  readonly to: number;
  readonly counts: Readonly<Record<OutcomeGroup, number>>;
  readonly total: number;
}

/** Returns a bar for every bucket of the range, including those without calls. */
export function buildBars({
  buckets,
  start_time,
  end_time,
  bucket_seconds: seconds,
}: RequestHistogram): Bar[] {
  const known = new Map(buckets.map((bucket) => [bucket.start_time, bucket]));
  const number = Math.max(1, Math.ceil((end_time - start_time) / seconds));
  return Array.from({ length: number }, (_, index) => {
    const from = start_time + index * seconds;
    const bucket = known.get(from);
    const counts = Object.fromEntries(
      outcomeGroups.map(({ id, outcomes }) => [
        id,
        outcomes.reduce((sum, outcome) => sum + (bucket?.[outcome] ?? 0), 0),
      ]),
    ) as Record<OutcomeGroup, number>;
    return {
      from,
      to: from + seconds,
      counts,
      total: Object.values(counts).reduce((sum, count) => sum + count, 0),
    };
  });
}

/** Returns text such as `14:15 to 14:30: 120 completed, 5 refused`, in the viewer's zone. */
export function describeBar({ from, to, counts, total }: Bar, seconds: number): string {
  const parts = outcomeGroups
    .filter(({ id }) => counts[id] > 0)
    .map(({ id, label }) => `${formatCount(counts[id])} ${label}`);
  const end = seconds >= DAY_S ? "" : ` to ${formatTimeLabel(to, 60)}`;
  return `${formatTimeLabel(from, seconds)}${end}: ${total === 0 ? "no calls" : parts.join(", ")}`;
}
