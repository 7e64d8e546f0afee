"use client";

import type { KnownAlert, SpendScope } from "@/components/money/spend-scope";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { toast } from "@/components/ui/dialog/toast";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { ConflictDialog } from "@/components/ui/form/lazy-conflict-dialog";
import { useEditForm } from "@/components/ui/form/use-schema-form";
import { changeSpendAlert } from "./spend-actions";
import {
  AlertFields,
  alertForm,
  alertLabels,
  alertNames,
  toAlertForm,
  toSpendAlertDraft,
} from "./spend-alert-form";
import { writeAmounts } from "./write-amounts";

type EditAlertProps = {
  scope: SpendScope;
  alert: KnownAlert;
  /** The form's name, unique on its page. */
  formName: string;
  close: () => void;
};

export function EditSpendAlertDialog({ scope, alert, formName, close }: EditAlertProps) {
  const form = useEditForm(alertForm, toAlertForm(alert));
  const { save, changed, pending, conflict } = useSaveChanges(form, {
    saved: alert,
    action: changeSpendAlert,
    refetch: ["listSpendAlerts", "listProjectSpendAlerts"],
    names: alertNames,
    toInput: (change, against) => ({
      projectId: scope.project?.id ?? null,
      alertId: alert.id,
      // The operation replaces the whole alert, so unchanged fields are sent too.
      alert: toSpendAlertDraft({ ...toAlertForm(against), ...change }, against.currency),
      version: against.version,
    }),
    toValues: toAlertForm,
    onSaved: () => {
      toast({ message: "Spend alert changed" });
      close();
    },
  });
  return (
    <FormDialog
      form={form}
      name={formName}
      what="the spend alert"
      isEdit
      labels={alertLabels}
      title="Change the spend alert"
      description="With another threshold it can fire again in the same month."
      submit="Save changes"
      pending={pending}
      close={close}
      onSubmit={(values) => (changed.length > 0 ? save(values) : close())}
    >
      <AlertFields control={form.control} currency={alert.currency} />
      {conflict && (
        <ConflictDialog
          {...conflict}
          conflicts={writeAmounts(conflict.conflicts, alert.currency)}
          labels={alertLabels}
          nothing="Empty"
        />
      )}
    </FormDialog>
  );
}
