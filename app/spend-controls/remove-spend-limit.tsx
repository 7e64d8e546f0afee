import { ConfirmedAction } from "@/app/queries/actions/confirmed-action";
import { Button } from "@/components/ui/button";
import type { SpendLimit } from "@/lib/contract/operations/spend-limits";
import { removeSpendLimit } from "./actions";
import { nameSpendPlace, type SpendPlace } from "./spend-place";

type RemoveSpendLimitProps = { place: SpendPlace; limit: SpendLimit & { version?: string | undefined } };

export function RemoveSpendLimit({ place, limit }: RemoveSpendLimitProps) {
  return (
    <ConfirmedAction
      renderButton={(ask) => <Button onClick={ask}>Remove limit</Button>}
      title={`Remove the spend limit of ${nameSpendPlace(place)}?`}
      confirmLabel="Remove limit"
      action={removeSpendLimit}
      input={{ projectId: place.project?.id ?? null, version: limit.version }}
      refetch={["retrieveSpendLimit", "retrieveProjectSpendLimit"]}
      done={() => `Spend limit of ${nameSpendPlace(place)} removed`}
    >
      From the next call on, only{" "}
      {place.project ? "the organization’s limit and the balance cap" : "the balance caps"} spending.
    </ConfirmedAction>
  );
}
