import { ChevronsUpDown } from "lucide-react";
import { useId, useMemo } from "react";
import { Field, fieldAttributes } from "@/components/ui/fields/field";
import { SelectOptions } from "@/components/ui/fields/select-options";
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
      <div className="relative">
        <select
          {...fieldAttributes(id, undefined)}
          className="field h-9 appearance-none pr-8 pointer-coarse:h-11"
          value={chosen}
          onChange={({ target }) => choose(target.value)}
        >
          <option value="">No model: a rate of my own</option>
          <SelectOptions options={options} value={chosen} />
        </select>
        <ChevronsUpDown
          aria-hidden
          className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-muted"
        />
      </div>
    </Field>
  );
}
