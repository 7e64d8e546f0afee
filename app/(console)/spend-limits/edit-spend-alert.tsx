"use client";

import { Pencil } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useReopen } from "@/components/form/draft-scope";
import { IconButton } from "@/components/ui/icon-button";
import { formatCents } from "./cents";
import type { KnownAlert, SpendPlace } from "./spend-place";

const EditAlertDialog = dynamic(
  () => import("./edit-spend-alert-dialog").then((file) => file.EditSpendAlertDialog),
  { ssr: false },
);

export function EditSpendAlert({ place, alert }: { place: SpendPlace; alert: KnownAlert }) {
  const [isOpen, setIsOpen] = useState(false);
  const formName = `spend-alert-${alert.id}`;
  useReopen(formName, () => setIsOpen(true));
  return (
    <>
      <IconButton
        size="small"
        label={`Change the alert at ${formatCents(alert.threshold_amount)}`}
        icon={<Pencil />}
        onClick={() => setIsOpen(true)}
      />
      {isOpen && (
        <EditAlertDialog place={place} alert={alert} formName={formName} close={() => setIsOpen(false)} />
      )}
    </>
  );
}
