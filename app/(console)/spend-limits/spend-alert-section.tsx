"use client";

import { Bell } from "lucide-react";
import { alertRead } from "@/components/money/spend-reads";
import { nameSpendScope, type SpendScope } from "@/components/money/spend-scope";
import { useRead } from "@/components/queries/reads/use-read";
import { ListSection } from "@/components/queries/states/list-section";
import { CreateButton } from "@/components/ui/create-button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
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
