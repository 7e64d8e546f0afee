"use client";

import { PageHead } from "@/components/ui/page-head";
import { useRunway } from "../use-runway";

/** Says until when the balance lasts, if money is spent and the person can read both. */
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
