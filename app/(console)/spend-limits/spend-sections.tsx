"use client";

import { Bell, BellRing } from "lucide-react";
import type { ReactNode } from "react";
import { alertRead, firingRead } from "@/components/money/spend-reads";
import type { SpendScope } from "@/components/money/spend-scope";
import { nameSpendScope } from "@/components/money/spend-scope";
import { useRead, useReadRows } from "@/components/queries/reads/use-read";
import { ListSection } from "@/components/queries/states/list-section";
import { ReadState } from "@/components/queries/states/read-state";
import { CreateButton } from "@/components/ui/create-button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
import { Section } from "@/components/ui/section";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { FirstRowsNote } from "@/components/ui/table/first-rows-note";
import { PagedTable } from "@/components/ui/table/paged-table";
import { SortedTable } from "@/components/ui/table/sorted-table";
import { firingColumns } from "./firing-columns";
import { alertColumns } from "./spend-alert-columns";
import { SpendLimitSection } from "./spend-limit-section";

type SpendSectionsProps = SpendScope & {
  /** Names of the projects whose alerts fired. */
  projects: readonly { id: string; name: string }[];
  /** Shown between the limit and the alerts. */
  children?: ReactNode;
};

/** The spend limit, the alerts and their firings. */
export function SpendSections({ projects, children, ...scope }: SpendSectionsProps) {
  return (
    <div className="grid gap-10">
      {scope.may("api.spend_limits.read") && <SpendLimitSection {...scope} />}
      {children}
      {scope.may("api.spend_alerts.read") && (
        <>
          <SpendAlertSection {...scope} />
          <FiringSection {...scope} projects={projects} />
        </>
      )}
    </div>
  );
}

/** Polling interval while firings are shown, since a delivery may be under way. */
const POLL_MS = 10_000;

type FiringSectionProps = SpendScope & { projects: readonly { id: string; name: string }[] };

/** The alerts that fired, and whether their callbacks arrived. */
function FiringSection({ projects, ...scope }: FiringSectionProps) {
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

const CreateAlertDialog = loadOnClient(() =>
  import("./create-spend-alert").then((file) => file.CreateSpendAlert),
);

/** Thresholds of monthly spend, with the people to notify. */
function SpendAlertSection(scope: SpendScope) {
  const [id, parameters] = alertRead(scope);
  const alerts = useRead<"listSpendAlerts" | "listProjectSpendAlerts">(id, parameters);
  const canWrite = scope.may("api.spend_alerts.write");
  const dialog = useFormDialog("new-spend-alert", canWrite);
  const createButton = canWrite && <CreateButton noun="alert" variant="secondary" onClick={dialog.open} />;
  return (
    <ListSection
      title="Spend alerts"
      description="Each fires once a month, when calls have cost this much. Alerts don’t refuse calls."
      read={alerts}
      to={`list the spend alerts of ${nameSpendScope(scope)}`}
      size={{ rows: 2, columns: 4 }}
      empty={{
        icon: Bell,
        title: "No spend alerts yet",
        example: `For example at 400.00 ${scope.currency}, sent to finance@example.com.`,
        children: "An alert notifies people early if a month costs more than planned.",
      }}
      add={createButton}
      dialog={dialog.isOpen && <CreateAlertDialog scope={scope} close={dialog.close} />}
    >
      {({ data, has_more: hasMore }) => (
        <>
          <SortedTable
            caption={`Spend alerts of ${nameSpendScope(scope)}`}
            columns={alertColumns(scope, { canWrite })}
            rows={data}
            rowId={(alert) => alert.id}
          />
          {hasMore && <FirstRowsNote shown={data.length} />}
        </>
      )}
    </ListSection>
  );
}
