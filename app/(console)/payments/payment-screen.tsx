"use client";

import { Banknote } from "lucide-react";
import { useReadRows } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { TextLink } from "@/components/ui/links/text-link";
import { Section } from "@/components/ui/section";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { DataTable } from "@/components/ui/table/data-table";
import { LoadMore } from "@/components/ui/table/load-more";
import { paths } from "@/lib/console/paths";
import { ApprovalCard } from "./approval-card";
import { paymentColumns } from "./payment-columns";
import { pendingRead } from "./payment-reads";

const POLL_MS = 15_000;

type PaymentScreenProps = { canDecide: boolean; canConfigure: boolean };

/** The approval rule, and the payments that wait or waited for approval. */
export function PaymentScreen({ canDecide, canConfigure }: PaymentScreenProps) {
  const payments = useReadRows(pendingRead.pages, pendingRead.parameters, { refetchInterval: POLL_MS });
  return (
    <div className="grid gap-8">
      <ApprovalCard canSet={canConfigure} />
      <Section
        title="Approvals"
        description="Payments, corrections and higher approval amounts that need a second member, newest first. Approved ones are in the ledger."
        actions={<TextLink href={paths.balance({ kind: "payment" })}>View payments in the ledger</TextLink>}
      >
        <ReadState
          read={payments}
          to="list payments that need approval"
          skeleton={<TableSkeleton rows={3} columns={5} />}
          empty={
            <EmptyState icon={Banknote} title="No payment has needed approval">
              A payment above the approval amount waits here until a second member approves or declines it.
            </EmptyState>
          }
        >
          {(data) => (
            <div>
              <DataTable
                caption="Payments that needed approval, newest first"
                columns={paymentColumns({ currency: data[0]?.currency, canDecide })}
                rows={data}
                rowId={({ id }) => id}
              />
              <LoadMore
                shown={data.length}
                noun={data.length === 1 ? "payment" : "payments"}
                hasMore={payments.hasNextPage}
                pending={payments.isFetchingNextPage}
                onLoadMore={() => void payments.fetchNextPage()}
              />
            </div>
          )}
        </ReadState>
      </Section>
    </div>
  );
}
