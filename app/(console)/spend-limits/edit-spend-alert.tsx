"use client";

import { Pencil } from "lucide-react";
import type { KnownAlert, SpendScope } from "@/components/money/spend-scope";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
import { IconButton } from "@/components/ui/icon-button";
import { formatCents } from "@/lib/money/cents";

const EditAlertDialog = loadOnClient(() =>
  import("./edit-spend-alert-dialog").then((file) => file.EditSpendAlertDialog),
);

export function EditSpendAlert({ scope, alert }: { scope: SpendScope; alert: KnownAlert }) {
  const formName = `spend-alert-${alert.id}`;
  const dialog = useFormDialog(formName);
  return (
    <>
      <IconButton
        size="small"
        label={`Change the alert at ${formatCents(alert.threshold_amount)}`}
        icon={<Pencil />}
        onClick={dialog.open}
      />
      {dialog.isOpen && (
        <EditAlertDialog scope={scope} alert={alert} formName={formName} close={dialog.close} />
      )}
    </>
  );
}
