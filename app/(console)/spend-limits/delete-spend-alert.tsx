import { Trash2 } from "lucide-react";
import { ConfirmedAction } from "@/app/queries/confirmed-action";
import { IconButton } from "@/components/ui/icon-button";
import { deleteSpendAlert } from "./actions";
import { decimalOf } from "./cents";
import { type KnownAlert, nameOf, type SpendPlace } from "./spend-place";

export function DeleteSpendAlert({ place, alert }: { place: SpendPlace; alert: KnownAlert }) {
  const amount = `${decimalOf(alert.threshold_amount)} ${alert.currency}`;
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <IconButton
          size="small"
          label={`Delete the alert at ${decimalOf(alert.threshold_amount)}`}
          icon={<Trash2 />}
          onClick={ask}
        />
      )}
      title={`Delete the alert at ${amount}?`}
      confirmLabel="Delete alert"
      action={deleteSpendAlert}
      input={{ projectId: place.project?.id ?? null, alertId: alert.id, version: alert.version }}
      changes={["listSpendAlerts", "listProjectSpendAlerts"]}
      done={() => `Alert at ${amount} deleted`}
    >
      No one is notified any more when a month of {nameOf(place)} costs that much. When it fired before stays
      listed.
    </ConfirmedAction>
  );
}
