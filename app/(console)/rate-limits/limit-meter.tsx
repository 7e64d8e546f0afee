import { computeCappedShare, isNear } from "@/components/rate-limits/limit-usage";
import { classNames } from "@/components/ui/class-names";
import { NEAR_SHARE } from "@/lib/contract/calls/near-limit";
import type { LimitUsageEntry } from "@/lib/contract/operations/usage/limit-usage";

/** The share of a limit that is used, with a mark at the last day's peak. Decorative: the numbers are next to it. */
export function LimitMeter({ usage }: { usage: LimitUsageEntry }) {
  const share = computeCappedShare(usage.max, usage.used);
  const peak = computeCappedShare(usage.max, usage.peak_1_day);
  if (share === null || peak === null) return null;
  return (
    <span aria-hidden className="relative block h-1 w-full overflow-hidden rounded-full bg-default">
      <span
        className={classNames(
          "absolute inset-y-0 left-0 rounded-full forced-color-adjust-none",
          share >= 1 ? "bg-danger" : share >= NEAR_SHARE ? "bg-warning" : "bg-accent",
        )}
        style={{ width: `${share * 100}%` }}
      />
      <span
        className={classNames(
          "absolute inset-y-0 w-0.5 forced-color-adjust-none",
          isNear(usage) ? "bg-warning" : "bg-muted",
        )}
        style={{ left: `calc(${peak * 100}% - 2px)` }}
      />
    </span>
  );
}
