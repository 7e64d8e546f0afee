import { nameSpendScope, type SpendScope } from "@/components/money/spend-scope";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { Button } from "@/components/ui/button";
import type { SpendLimit } from "@/lib/contract/operations/money/spend-limits";
import { removeSpendLimit } from "./spend-actions";

type RemoveSpendLimitProps = { scope: SpendScope; limit: SpendLimit & { version?: string | undefined } };

export function RemoveSpendLimit({ scope, limit }: RemoveSpendLimitProps) {
  return (
    <ConfirmedAction
      renderButton={(ask) => <Button onClick={ask}>Remove limit</Button>}
      title={`Remove the spend limit of ${nameSpendScope(scope)}?`}
      confirmLabel="Remove limit"
      action={removeSpendLimit}
      input={{ projectId: scope.project?.id ?? null, version: limit.version }}
      refetch={["retrieveSpendLimit", "retrieveProjectSpendLimit", "listProjectSummaries"]}
      done={() => `Spend limit of ${nameSpendScope(scope)} removed`}
    >
      From the next call on, only{" "}
      {scope.project ? "the organization’s limit and the balance cap" : "the balance caps"} spending.
    </ConfirmedAction>
  );
}
