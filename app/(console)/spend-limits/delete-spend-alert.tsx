import { Trash2 } from "lucide-react";
import { type KnownAlert, nameSpendScope, type SpendScope } from "@/components/money/spend-scope";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { IconButton } from "@/components/ui/icon-button";
import { formatCents } from "@/lib/money/cents";
import { deleteSpendAlert } from "./spend-actions";

export function DeleteSpendAlert({ scope, alert }: { scope: SpendScope; alert: KnownAlert }) {
  const amount = `${formatCents(alert.threshold_amount)} ${alert.currency}`;
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <IconButton
          size="small"
          label={`Delete the alert at ${formatCents(alert.threshold_amount)}`}
          icon={<Trash2 />}
          onClick={ask}
        />
      )}
      title={`Delete the alert at ${amount}?`}
      confirmLabel="Delete alert"
      action={deleteSpendAlert}
      input={{ projectId: scope.project?.id ?? null, alertId: alert.id, version: alert.version }}
      refetch={["listSpendAlerts", "listProjectSpendAlerts"]}
      done={() => `Alert at ${amount} deleted`}
      gone={`The alert at ${amount} had already been deleted.`}
    >
      No one is notified any more when a month of {nameSpendScope(scope)} costs that much. When it fired
      before stays listed.
    </ConfirmedAction>
  );
}
