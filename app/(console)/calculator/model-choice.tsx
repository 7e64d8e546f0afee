import { useId } from "react";
import { Field, fieldAttributes } from "@/components/form/field";
import type { OrganizationModel } from "@/lib/contract/operations/models";

type ModelChoiceProps = {
  models: readonly OrganizationModel[];
  chosen: string;
  choose: (part: { model: string; rate?: string }) => void;
};

/** Fills in the rate of a model that has a price; nothing where no model is known. */
export function ModelChoice({ models, chosen, choose }: ModelChoiceProps) {
  const id = useId();
  const priced = models.filter(({ price }) => price !== null);
  if (priced.length === 0) return null;
  return (
    <Field id={id} label="Model" help="Fills in its model rate; the rate can be changed." optional>
      <select
        {...fieldAttributes(id, undefined)}
        className="field h-9 pointer-coarse:h-11"
        value={priced.some((model) => model.id === chosen) ? chosen : ""}
        onChange={({ target }) => {
          const model = priced.find((candidate) => candidate.id === target.value);
          choose({ model: target.value, ...(model && { rate: model.rate }) });
        }}
      >
        <option value="">No model: a rate of my own</option>
        {priced.map((model) => (
          <option key={model.id} value={model.id}>
            {model.id}
          </option>
        ))}
      </select>
    </Field>
  );
}
