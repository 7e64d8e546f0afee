import { Trash2 } from "lucide-react";
import type { KnownAlert, SpendScope } from "@/components/money/spend-scope";
import { nameSpendScope } from "@/components/money/spend-scope";
import { HistoryLink } from "@/components/object-page/history-link";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { IconButton } from "@/components/ui/icon-button";
import { actionsColumn } from "@/components/ui/table/actions-column";
import type { Column } from "@/components/ui/table/column";
import { RelativeTime } from "@/components/ui/time/relative-time";
import { Money } from "@/components/ui/values/money";
import { formatCents } from "@/lib/money/cents";
import { EditSpendAlert } from "./edit-spend-alert";
import { deleteSpendAlert } from "./spend-actions";

export function alertColumns(
  scope: SpendScope,
  { canWrite }: { canWrite: boolean },
): readonly Column<KnownAlert>[] {
  const columns: readonly Column<KnownAlert>[] = [
    {
      id: "threshold",
      header: "Threshold",
      unit: scope.currency,
      apiName: "threshold_amount",
      width: "w-40",
      sortValue: (alert) => alert.threshold_amount,
      cell: (alert) => (
        <span className="font-medium">
          <Money amount={formatCents(alert.threshold_amount)} />
        </span>
      ),
    },
    {
      id: "recipients",
      header: "Recipients",
      apiName: "notification_channel",
      cell: ({ notification_channel: channel }) => (
        <span className="wrap-anywhere">{channel.recipients.join(", ")}</span>
      ),
    },
    {
      id: "fired",
      header: "Last fired",
      apiName: "last_fired_at",
      width: "w-40",
      sortValue: (alert) => alert.last_fired_at ?? 0,
      cell: (alert) =>
        alert.last_fired_at === null ? (
          <span className="text-muted">never</span>
        ) : (
          <RelativeTime at={alert.last_fired_at} />
        ),
    },
  ];
  if (!canWrite) return columns;
  const actions = actionsColumn<KnownAlert>({
    width: "w-32",
    cell: (alert) => (
      <>
        <HistoryLink
          id={alert.id}
          projectId={scope.project?.id}
          rowName={`${formatCents(alert.threshold_amount)} ${scope.currency}`}
        />
        <EditSpendAlert scope={scope} alert={alert} />
        <DeleteSpendAlert scope={scope} alert={alert} />
      </>
    ),
  });
  return [...columns, actions];
}

function DeleteSpendAlert({ scope, alert }: { scope: SpendScope; alert: KnownAlert }) {
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
