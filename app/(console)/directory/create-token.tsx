"use client";

import * as z from "zod/mini";
import { keyLifetime, lifetimeOptions } from "@/components/keys/key-lifetime";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { SelectField } from "@/components/ui/fields/select-field";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { ShownOnce } from "@/components/ui/text/shown-once";
import { displayName } from "@/lib/contract/schema";
import { createToken } from "./actions";

const tokenForm = z.strictObject({ name: displayName, lifetime: keyLifetime });

/** A token of a directory always expires. */
const lifetimes = lifetimeOptions.filter(({ value }) => value !== "never");

/** Asks for a name and a lifetime, then shows the token, which can't be shown again. */
export function CreateToken({ address, close }: { address: string; close: () => void }) {
  const form = useNewForm<z.output<typeof tokenForm>>(tokenForm, { name: "", lifetime: "365" });
  const create = useCreate(createToken, {
    refetch: ["listAdminApiKeys", "listRoleHolders"],
    onError: ({ problem }) => showProblem(form, ["name"], problem),
  });
  if (create.data) {
    return (
      <ShownOnce
        position="wide"
        title={`Token “${create.data.name}” created`}
        description="Copy it into the directory now: it can’t be shown again."
        noun="token"
        text={create.data.value}
        loss="It can’t be shown again. If you lose it, revoke it and create another one."
        close={close}
      >
        <p className="text-muted">
          The directory sends it to <code className="font-mono text-sm break-all">{address}</code>. In Okta it
          is the “API token” (HTTP header), in Entra the “Secret token”.
        </p>
      </ShownOnce>
    );
  }
  return (
    <FormDialog
      form={form}
      name="new-directory-token"
      what="the new token"
      labels={{ name: "Name", lifetime: "Expires" }}
      title="Create token"
      description="Lets a directory manage members and groups, and nothing else. It is shown only once."
      submit="Create token"
      pending={create.isPending}
      close={close}
      onSubmit={(draft) => create.mutate(draft)}
    >
      <TextField
        control={form.control}
        name="name"
        label="Name"
        apiName="name"
        maxLength={100}
        help="The directory that uses it, such as “Okta”."
      />
      <SelectField
        control={form.control}
        name="lifetime"
        label="Expires"
        apiName="expires_in_seconds"
        options={lifetimes}
        help="Two tokens work side by side, so create the next one before this one expires."
      />
    </FormDialog>
  );
}
