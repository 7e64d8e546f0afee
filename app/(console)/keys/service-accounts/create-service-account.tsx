"use client";

import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { CreatedKey } from "../created-key";
import {
  accountKeyLabels,
  accountKeyNames,
  defaultAccountKey,
  type NewAccountKey,
  NewAccountKeyFields,
  newAccountKey,
} from "./new-account-key-fields";
import { createServiceAccount } from "./service-account-actions";

type CreateServiceAccountProps = { projectId: string; baseUrl: string; close: () => void };

/** Asks for a name, then shows the account's first key, which can't be shown again. */
export function CreateServiceAccount({ projectId, baseUrl, close }: CreateServiceAccountProps) {
  const form = useNewForm<NewAccountKey>(newAccountKey, defaultAccountKey);
  const create = useCreate(createServiceAccount, {
    refetch: ["listServiceAccounts", "listProjectApiKeys"],
    onSuccess: ({ api_key: key }) => key === null && close(),
    onError: ({ problem }) => showProblem(form, accountKeyNames, problem),
  });
  if (create.data?.api_key) {
    const { name, api_key: key } = create.data;
    return <CreatedKey created={{ name, value: key.value }} baseUrl={baseUrl} close={close} />;
  }
  return (
    <FormDialog
      form={form}
      name="new-service-account"
      what="the service account"
      labels={accountKeyLabels}
      title="Create service account"
      description="It holds the role Project member. Its first key is shown once, after this."
      submit="Create service account"
      pending={create.isPending}
      close={close}
      onSubmit={(draft) => create.mutate({ projectId, ...draft })}
    >
      <NewAccountKeyFields
        control={form.control}
        help="The program that it represents, such as “deploy pipeline”."
      />
    </FormDialog>
  );
}
