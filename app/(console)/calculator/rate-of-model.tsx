import { useId, useMemo } from "react";
import { ChoiceSelect } from "@/components/ui/fields/choice-select";
import { Field } from "@/components/ui/fields/field";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";

type RateOfModelProps = {
  models: readonly OrganizationModel[];
  chosen: string;
  choose: (model: string) => void;
};

/** Fills in the rate of a chosen model. Renders nothing if no model has a price. */
export function RateOfModel({ models, chosen, choose }: RateOfModelProps) {
  const id = useId();
  const options = useMemo(
    () =>
      models
        .filter(({ price, unit_price }) => (price ?? unit_price) !== null)
        .map((model) => ({ value: model.id, label: model.id })),
    [models],
  );
  if (options.length === 0) return null;
  return (
    <Field id={id} label="Model">
      <ChoiceSelect
        label="Model"
        id={id}
        value={chosen}
        nothing="No model: a rate of my own"
        options={options}
        choose={choose}
      />
    </Field>
  );
}
