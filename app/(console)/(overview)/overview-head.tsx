"use client";

import { PageHead } from "@/components/ui/page-head";
import { useRunway } from "../use-runway";

/** Until when the balance lasts, where money is spent and both can be read. */
export function OverviewHead({ openedAt }: { openedAt: number }) {
  const lasting = useRunway(openedAt);
  if (!lasting) {
    return (
      <PageHead
        title="Overview"
        sentence="What is left to spend, what was spent last, and where programs call."
      />
    );
  }
  return <PageHead title={lasting.headline} sentence={lasting.explanation} />;
}
