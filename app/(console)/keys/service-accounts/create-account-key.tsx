"use client";

import { KeyRound } from "lucide-react";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
import { IconButton } from "@/components/ui/icon-button";
import type { ServiceAccount } from "@/lib/contract/operations/keys/service-accounts";

const AccountKeyDialog = loadOnClient(() =>
  import("./create-account-key-dialog").then((file) => file.AccountKeyDialog),
);

type CreateAccountKeyProps = { projectId: string; account: ServiceAccount; baseUrl: string };

export function CreateAccountKey(props: CreateAccountKeyProps) {
  const formName = `new-key-${props.account.id}`;
  const dialog = useFormDialog(formName);
  return (
    <>
      <IconButton
        size="small"
        label={`Create a key for “${props.account.name}”`}
        icon={<KeyRound />}
        onClick={dialog.open}
      />
      {dialog.isOpen && <AccountKeyDialog {...props} formName={formName} close={dialog.close} />}
    </>
  );
}
