"use client";

import { useRunway } from "@/components/money/use-runway";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";

/** A payment takes some days to arrive, so the notice appears this long before the balance runs out. */
const LOW_FROM_DAYS = 7;

/** Asks for a payment if the balance will run out soon at the recent rate of spending. */
export function LowBalance({ openedAt, pay }: { openedAt: number; pay: (() => void) | null }) {
  const lasting = useRunway(openedAt);
  if (!lasting || lasting.runway.days <= 0 || lasting.runway.days >= LOW_FROM_DAYS) return null;
  return (
    <div className="mb-6">
      <Notice
        tone="near"
        title="The balance is running low"
        actions={pay && <Button onClick={pay}>Record payment</Button>}
      >
        {lasting.headline}. {lasting.explanation} Calls that it doesn’t cover are refused.
      </Notice>
    </div>
  );
}
