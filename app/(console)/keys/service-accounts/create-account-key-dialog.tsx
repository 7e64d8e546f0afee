"use client";

import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import type { ServiceAccount } from "@/lib/contract/operations/keys/service-accounts";
import { CreatedKey } from "../created-key";
import {
  accountKeyLabels,
  accountKeyNames,
  defaultAccountKey,
  type NewAccountKey,
  NewAccountKeyFields,
  newAccountKey,
} from "./new-account-key-fields";
import { createServiceAccountKey } from "./service-account-actions";

type AccountKeyDialogProps = {
  projectId: string;
  account: ServiceAccount;
  baseUrl: string;
  /** The form's name, unique on its page. */
  formName: string;
  close: () => void;
};

/** Creates another key for a service account. */
export function AccountKeyDialog({ projectId, account, baseUrl, formName, close }: AccountKeyDialogProps) {
  const form = useNewForm<NewAccountKey>(newAccountKey, defaultAccountKey);
  const create = useCreate(createServiceAccountKey, {
    refetch: ["listProjectApiKeys"],
    onError: ({ problem }) => showProblem(form, accountKeyNames, problem),
  });
  if (create.data) return <CreatedKey created={create.data} baseUrl={baseUrl} close={close} />;
  return (
    <FormDialog
      form={form}
      name={formName}
      what="the new key"
      labels={accountKeyLabels}
      title={`Create a key for “${account.name}”`}
      description="The key is shown once, after this. It holds the role of its account."
      submit="Create key"
      pending={create.isPending}
      close={close}
      onSubmit={(draft) => create.mutate({ projectId, accountId: account.id, ...draft })}
    >
      <NewAccountKeyFields control={form.control} help="Tells the account’s keys apart, such as “blue”." />
    </FormDialog>
  );
}
