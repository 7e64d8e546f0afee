import { Trash2 } from "lucide-react";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { IconButton } from "@/components/ui/icon-button";
import type { ServiceAccount } from "@/lib/contract/operations/keys/service-accounts";
import { deleteServiceAccount } from "./service-account-actions";

type DeleteServiceAccountProps = { projectId: string; account: ServiceAccount };

export function DeleteServiceAccount({ projectId, account }: DeleteServiceAccountProps) {
  const { id, name, version } = account;
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <IconButton
          size="small"
          label={`Delete the service account “${name}”`}
          icon={<Trash2 />}
          onClick={ask}
        />
      )}
      title={`Delete the service account “${name}”?`}
      confirmLabel="Delete service account"
      action={deleteServiceAccount}
      input={{ projectId, accountId: id, version }}
      refetch={["listServiceAccounts", "listProjectApiKeys"]}
      done={() => `Service account “${name}” deleted`}
    >
      All its keys are revoked immediately, including those of running programs. Their past usage stays in the
      ledger. This can’t be undone.
    </ConfirmedAction>
  );
}
