"use client";

import { useSearchParams } from "next/navigation";
import type { ReactNode } from "react";
import { useRunway } from "@/components/money/use-runway";
import { classNames } from "@/components/ui/class-names";
import { ranges } from "@/components/ui/filters/time-range";
import { changeAddress } from "@/components/ui/filters/use-address-filter";
import { PageHead } from "@/components/ui/page";
import { overviewRanges, parseOverviewRange } from "@/components/usage/usage-reads";

const labels = { "24h": "24 h", "7d": "7 d", "30d": "30 d" };

/** Sets the range of the figures about calls. */
export function RangeSwitch() {
  const chosen = parseOverviewRange(useSearchParams().get("range") ?? "");
  return (
    <div role="group" aria-label="Range of the figures" className="flex overflow-hidden rounded-md border">
      {overviewRanges.map((range) => (
        <button
          key={range}
          type="button"
          aria-label={ranges[range].label}
          aria-pressed={range === chosen}
          onClick={() => changeAddress({ range: range === overviewRanges[0] ? undefined : range })}
          className={classNames(
            "h-8 border-r px-3 text-sm -outline-offset-2 last:border-r-0 pointer-coarse:h-11",
            range === chosen
              ? "bg-default font-semibold forced-colors:outline"
              : "text-muted hover:bg-default/70",
          )}
        >
          {labels[range]}
        </button>
      ))}
    </div>
  );
}

/** Says until when the balance lasts, if money is spent and the person can read both. */
export function OverviewHead({ openedAt, action }: { openedAt: number; action: ReactNode }) {
  const lasting = useRunway(openedAt);
  if (!lasting) {
    return (
      <PageHead
        title="Overview"
        sentence="Your balance, recent spending, and the address for your programs."
        action={action}
      />
    );
  }
  return <PageHead title={lasting.headline} sentence={lasting.explanation} action={action} />;
}
