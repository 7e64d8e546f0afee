"use client";

import { Bell } from "lucide-react";
import { alertRead } from "@/components/money/spend-reads";
import { nameSpendScope, type SpendScope } from "@/components/money/spend-scope";
import { useRead } from "@/components/queries/reads/use-read";
import { isEmpty, ReadState } from "@/components/queries/states/read-state";
import { CreateButton } from "@/components/ui/create-button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
import { Section } from "@/components/ui/section";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { FirstRowsNote } from "@/components/ui/table/first-rows-note";
import { SortedTable } from "@/components/ui/table/sorted-table";
import { alertColumns } from "./spend-alert-columns";

const CreateAlertDialog = loadOnClient(() =>
  import("./create-spend-alert").then((file) => file.CreateSpendAlert),
);

/** Thresholds of monthly spend, with the people to notify. */
export function SpendAlertSection(scope: SpendScope) {
  const [id, parameters] = alertRead(scope);
  const alerts = useRead<"listSpendAlerts" | "listProjectSpendAlerts">(id, parameters);
  const canWrite = scope.may("api.spend_alerts.write");
  const dialog = useFormDialog("new-spend-alert", canWrite);
  const createButton = canWrite && <CreateButton noun="alert" variant="secondary" onClick={dialog.open} />;
  return (
    <Section
      title="Spend alerts"
      description="Each fires once a month, when calls have cost this much. Alerts don’t refuse calls."
      actions={!isEmpty(alerts.data) && createButton}
    >
      <ReadState
        read={alerts}
        to={`list the spend alerts of ${nameSpendScope(scope)}`}
        skeleton={<TableSkeleton rows={2} columns={4} />}
        empty={
          <EmptyState
            icon={Bell}
            title="No spend alerts yet"
            action={createButton}
            example={`For example at 400.00 ${scope.currency}, sent to finance@example.com.`}
          >
            An alert notifies people early if a month costs more than planned.
          </EmptyState>
        }
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
      </ReadState>
      {dialog.isOpen && <CreateAlertDialog scope={scope} close={dialog.close} />}
    </Section>
  );
}
