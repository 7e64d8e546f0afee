"use client";

import type { KnownAlert } from "@/components/money/spend-reads";
import { nameSpendScope, type SpendScope } from "@/components/money/spend-reads";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { toast } from "@/components/ui/dialog/toast";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { ConflictDialog } from "@/components/ui/form/lazy-conflict-dialog";
import { useEditForm, useNewForm } from "@/components/ui/form/use-schema-form";
import { changeSpendAlert, createSpendAlert } from "./spend-actions";
import {
  AlertFields,
  type AlertForm,
  alertForm,
  alertLabels,
  alertNames,
  noAlert,
  toAlertForm,
  toSpendAlertDraft,
  writeAmounts,
} from "./spend-alert-form";

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

export function CreateSpendAlert({ scope, close }: { scope: SpendScope; close: () => void }) {
  const form = useNewForm<AlertForm>(alertForm, noAlert);
  const create = useCreate(createSpendAlert, {
    refetch: ["listSpendAlerts", "listProjectSpendAlerts"],
    onSuccess: () => {
      toast({ message: "Spend alert created" });
      close();
    },
    onError: ({ problem }) => showProblem(form, alertNames, problem),
  });
  return (
    <FormDialog
      form={form}
      name="new-spend-alert"
      what="the new alert"
      labels={alertLabels}
      title={`Create a spend alert for ${nameSpendScope(scope)}`}
      description="It fires once a month, when the threshold is reached."
      submit="Create alert"
      pending={create.isPending}
      close={close}
      onSubmit={(typed) =>
        create.mutate({
          projectId: scope.project?.id ?? null,
          alert: toSpendAlertDraft(typed, scope.currency),
        })
      }
    >
      <AlertFields control={form.control} currency={scope.currency} />
    </FormDialog>
  );
}
