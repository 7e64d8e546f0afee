"use client";

import { useReadRows } from "@/components/queries/reads/use-read";
import { TextLink } from "@/components/ui/links/text-link";
import { Notice } from "@/components/ui/notice";
import { formatCount } from "@/components/ui/values/group-digits";
import { paths } from "@/lib/console/paths";
import { pendingRead } from "./payment-reads";

/** Says on the balance that a payment waits for a second person, and leads to it. */
export function WaitingPayments() {
  const { data } = useReadRows(pendingRead.pages, pendingRead.parameters);
  const count = data?.filter(({ status }) => status === "pending").length ?? 0;
  if (count === 0) return null;
  return (
    <div className="mb-6">
      <Notice
        tone="near"
        title={
          count === 1 ? "A payment waits for approval" : `${formatCount(count)} payments wait for approval`
        }
        actions={<TextLink href={paths.payments()}>Approve or decline</TextLink>}
      >
        They count once a second member approves them.
      </Notice>
    </div>
  );
}
