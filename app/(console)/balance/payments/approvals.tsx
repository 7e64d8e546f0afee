"use client";

import { WaitingRequests } from "@/components/access-requests/waiting-requests";
import { ApprovalCard } from "@/components/money/payments/approval-card";
import { useReadRows } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { PagedTable } from "@/components/ui/table/paged-table";
import { approvalColumns } from "./approval-columns";
import { pendingRead } from "./payment-reads";

const POLL_MS = 15_000;

type ApprovalsProps = { canDecide: boolean; canConfigure: boolean };

/** What others ask for, the approval rule, and what waits or waited for a second person. */
export function Approvals({ canDecide, canConfigure }: ApprovalsProps) {
  const payments = useReadRows(pendingRead.pages, pendingRead.parameters, { refetchInterval: POLL_MS });
  return (
    <>
      <WaitingRequests />
      <Section
        title="Approvals"
        description="Payments, corrections and higher approval amounts that need a second member, newest first."
      >
        <ApprovalCard canSet={canConfigure} />
        <ReadState
          read={payments}
          to="list payments that need approval"
          skeleton={<TableSkeleton rows={3} columns={5} />}
          empty={<p className="text-sm text-muted">No payment has needed approval.</p>}
        >
          {(data) => (
            <PagedTable
              read={payments}
              noun="payment"
              caption="Payments that needed approval, newest first"
              columns={approvalColumns({ currency: data[0]?.currency, canDecide })}
              rows={data}
              rowId={({ id }) => id}
            />
          )}
        </ReadState>
      </Section>
    </>
  );
}
