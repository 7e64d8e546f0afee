"use client";

import type { Control, FieldValues, Path } from "react-hook-form";
import { useRead } from "@/app/queries/use-read";
import { CheckboxGroup } from "@/components/form/checkbox-group";
import { SelectField } from "@/components/form/select-field";
import { groupModels } from "../group-models";
import { endpointOptions, type ScopeForm } from "./key-scope";

export const scopeLabels = { models: "Models it may call", endpoints: "Endpoints it may call" };

type ScopeFieldsProps<Values extends FieldValues & ScopeForm> = {
  control: Control<Values>;
  /** The models named already, also those that are there no more. */
  named: readonly string[];
};

/** What a key may call, beside what its role and its project allow. */
export function ScopeFields<Values extends FieldValues & ScopeForm>({
  control,
  named,
}: ScopeFieldsProps<Values>) {
  const models = useRead("listOrganizationModels", { limit: "1000" });
  return (
    <>
      <SelectField
        control={control}
        name={"endpoints" as Path<Values>}
        label={scopeLabels.endpoints}
        apiName="endpoints"
        options={endpointOptions}
        help="A limited key can call these and list models, and nothing else in the API."
      />
      <CheckboxGroup
        control={control}
        name={"models" as Path<Values>}
        label={scopeLabels.models}
        apiName="models"
        groups={groupModels(models.data?.data ?? [], named)}
        noun="models"
        help="Tick none to allow every model that the project may call."
      />
    </>
  );
}
