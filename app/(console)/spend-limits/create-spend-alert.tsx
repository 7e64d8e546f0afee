"use client";

import { nameSpendScope, type SpendScope } from "@/components/money/spend-scope";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { toast } from "@/components/ui/dialog/toast";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { createSpendAlert } from "./spend-actions";
import {
  AlertFields,
  type AlertForm,
  alertForm,
  alertLabels,
  alertNames,
  noAlert,
  toSpendAlertDraft,
} from "./spend-alert-form";

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
