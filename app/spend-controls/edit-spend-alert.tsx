"use client";

import { Pencil } from "lucide-react";
import dynamic from "next/dynamic";
import { useFormDialog } from "@/components/form/use-form-dialog";
import { IconButton } from "@/components/ui/icon-button";
import { formatCents } from "@/lib/money/cents";
import type { KnownAlert, SpendPlace } from "./spend-place";

const EditAlertDialog = dynamic(
  () => import("./edit-spend-alert-dialog").then((file) => file.EditSpendAlertDialog),
  { ssr: false },
);

export function EditSpendAlert({ place, alert }: { place: SpendPlace; alert: KnownAlert }) {
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
        <EditAlertDialog place={place} alert={alert} formName={formName} close={dialog.close} />
      )}
    </>
  );
}
