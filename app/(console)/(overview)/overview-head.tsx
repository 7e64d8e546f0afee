"use client";

import type { ReactNode } from "react";
import { useRunway } from "@/components/money/use-runway";
import { PageHead } from "@/components/ui/page-head";

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
