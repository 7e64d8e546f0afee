"use client";

import { BellRing } from "lucide-react";
import { firingRead } from "@/components/money/spend-reads";
import { nameSpendScope, type SpendScope } from "@/components/money/spend-scope";
import { useReadRows } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Section } from "@/components/ui/section";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { PagedTable } from "@/components/ui/table/paged-table";
import { firingColumns } from "./firing-columns";

/** Polling interval while firings are shown, since a delivery may be under way. */
const POLL_MS = 10_000;

type FiringSectionProps = SpendScope & { projects: readonly { id: string; name: string }[] };

/** The alerts that fired, and whether their callbacks arrived. */
export function FiringSection({ projects, ...scope }: FiringSectionProps) {
  const [id, parameters] = firingRead(scope);
  const firings = useReadRows<"listSpendAlertFirings" | "listProjectSpendAlertFirings">(id, parameters, {
    refetchInterval: POLL_MS,
  });
  // Sending again needs the organization's permission.
  const canSend = scope.project === null && scope.may("api.spend_alerts.write");
  return (
    <Section
      title="Fired alerts and their delivery"
      description="Each is sent to the configured callback, with up to ten tries over 75 hours."
    >
      <ReadState
        read={firings}
        to={`list when the alerts of ${nameSpendScope(scope)} fired`}
        skeleton={<TableSkeleton rows={3} columns={6} />}
        empty={
          <EmptyState icon={BellRing} title="No alert has fired">
            When a month’s cost reaches an alert’s threshold, the alert is listed here with its delivery.
          </EmptyState>
        }
      >
        {(data) => (
          <PagedTable
            read={firings}
            noun="fired alert"
            caption="Fired alerts, newest first"
            columns={firingColumns({ scope, projects, canSend })}
            rows={data}
            rowId={(firing) => firing.id}
          />
        )}
      </ReadState>
    </Section>
  );
}
