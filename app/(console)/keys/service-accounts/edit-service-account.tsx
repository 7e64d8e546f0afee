"use client";

import { Pencil } from "lucide-react";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
import { IconButton } from "@/components/ui/icon-button";
import type { ServiceAccount } from "@/lib/contract/operations/keys/service-accounts";

const EditAccountDialog = loadOnClient(() =>
  import("./edit-service-account-dialog").then((file) => file.EditServiceAccountDialog),
);

export function EditServiceAccount({ projectId, account }: { projectId: string; account: ServiceAccount }) {
  const formName = `service-account-${account.id}`;
  const dialog = useFormDialog(formName);
  return (
    <>
      <IconButton
        size="small"
        label={`Change the service account “${account.name}”`}
        icon={<Pencil />}
        onClick={dialog.open}
      />
      {dialog.isOpen && (
        <EditAccountDialog projectId={projectId} account={account} formName={formName} close={dialog.close} />
      )}
    </>
  );
}
