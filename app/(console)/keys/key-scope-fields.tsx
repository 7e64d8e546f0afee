"use client";

import { ChevronRight } from "lucide-react";
import { type Control, type FieldValues, type Path, useFormState } from "react-hook-form";
import * as z from "zod/mini";
import { groupModels } from "@/components/models/group-models";
import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { CheckboxGroup } from "@/components/ui/fields/checkbox-group";
import { SelectField } from "@/components/ui/fields/select-field";
import { TextField } from "@/components/ui/fields/text-field";
import type { ProjectApiKey } from "@/lib/contract/operations/keys/project-api-keys";
import { displayName } from "@/lib/contract/schema";
import { endpointOptions, type KeyScopeForm, toKeyScopeForm } from "./key-scope";

export const keyScopeLabels = { models: "Allowed models", endpoints: "Allowed endpoints" };

type KeyScopeFieldsProps<Values extends FieldValues & KeyScopeForm> = {
  control: Control<Values>;
  /** The key's present scope, including models that no longer exist; undefined for a new key. */
  saved?: Pick<ProjectApiKey, "models" | "endpoints">;
};

/** Limits what a key can call, within what its role and project allow. */
export function KeyScopeFields<Values extends FieldValues & KeyScopeForm>({
  control,
  saved,
}: KeyScopeFieldsProps<Values>) {
  const models = useRead(...wholeList("listOrganizationModels"));
  return (
    <>
      <SelectField
        control={control}
        name={"endpoints" as Path<Values>}
        label={keyScopeLabels.endpoints}
        apiName="endpoints"
        options={endpointOptions(saved && toKeyScopeForm(saved).endpoints)}
        help="A limited key can call these and list models, and nothing else in the API."
      />
      <CheckboxGroup
        control={control}
        name={"models" as Path<Values>}
        label={keyScopeLabels.models}
        apiName="models"
        groups={groupModels(models.data?.data ?? [], saved?.models ?? [])}
        noun="models"
        help="Tick none to allow every model that the project may call."
      />
    </>
  );
}

/** The same fields, collapsed, for a new key, since few keys are limited. */
export function KeyScopeDisclosure<Values extends FieldValues & KeyScopeForm>({
  control,
}: Pick<KeyScopeFieldsProps<Values>, "control">) {
  const { errors } = useFormState({ control });
  const isRefused = "models" in errors || "endpoints" in errors;
  return (
    <details className="group" open={isRefused || undefined}>
      <summary className="inline-flex min-h-6 cursor-pointer list-none items-center gap-1 rounded-sm text-muted hover:text-foreground pointer-coarse:min-h-11">
        <ChevronRight aria-hidden className="size-3.5 group-open:rotate-90" />
        Limit it to models and endpoints
      </summary>
      <div className="mt-4 grid gap-5">
        <KeyScopeFields control={control} />
      </div>
    </details>
  );
}

/** The form values for creating or renaming a key. */
export const keyName = z.strictObject({ name: displayName });
export type KeyName = z.output<typeof keyName>;

export function KeyNameField<Values extends FieldValues & KeyName>({
  control,
}: {
  control: Control<Values>;
}) {
  return (
    <TextField
      control={control}
      name={"name" as Path<Values>}
      label="Name"
      apiName="name"
      maxLength={100}
      help="The program that uses it, such as “nightly reports”."
    />
  );
}
