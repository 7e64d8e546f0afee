import { Trash2 } from "lucide-react";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { IconButton } from "@/components/ui/icon-button";
import type { ScheduledPrice } from "@/lib/contract/operations/models/scheduled-prices";
import { deleteScheduledPrice } from "../actions";
import { describePrice } from "./describe-price";

export function DeleteScheduledPrice({ modelId, price }: { modelId: string; price: ScheduledPrice }) {
  const words = describePrice(price).join(", ");
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <IconButton
          size="small"
          label={`Delete the scheduled price: ${words}`}
          icon={<Trash2 />}
          onClick={ask}
        />
      )}
      title="Delete the scheduled price?"
      confirmLabel="Delete scheduled price"
      action={deleteScheduledPrice}
      input={{ modelId, scheduledPriceId: price.id, version: price.version }}
      refetch={["listScheduledPrices", "listOrganizationModels", "listAuditLogs"]}
      done={() => "Scheduled price deleted"}
      gone={`Nothing was deleted: ${words} is no longer scheduled. It took effect, or somebody else deleted it. The price history shows which.`}
    >
      The change of {modelId} to {words} won’t take effect. Its present price stays.
    </ConfirmedAction>
  );
}
