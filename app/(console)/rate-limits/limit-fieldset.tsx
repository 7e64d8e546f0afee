import type { UseFormReturn } from "react-hook-form";
import type { RateLimitValues } from "@/lib/contract/rate-limit-table";
import { hasEffect, limitFields } from "./limit-fields";
import { LimitInput } from "./limit-input";
import type { LimitRow } from "./limit-row";
import { LimitUsageInForm } from "./limit-usage-in-form";

type LimitFieldsetProps = {
  form: UseFormReturn<RateLimitValues>;
  row: LimitRow;
  projectId: string;
  /** True for the limits that apply to the model's family, false for the others. */
  effective: boolean;
  disabled: boolean;
};

export function LimitFieldset({ form, row, projectId, effective, disabled }: LimitFieldsetProps) {
  const { family, defaults } = row;
  const fields = limitFields.filter((field) => hasEffect(field, family) === effective);
  if (fields.length === 0) return null;
  return (
    <fieldset className="grid gap-5">
      <legend className={effective ? "sr-only" : "mb-4 w-full border-t pt-5"}>
        {effective ? (
          "Limits in effect"
        ) : (
          <>
            <span className="block text-lg font-semibold">No effect for {family} models</span>
            <span className="block text-sm text-muted">
              This isn’t counted for this model, so the limit has no effect. It is saved anyway.
            </span>
          </>
        )}
      </legend>
      {fields.map((field) => (
        <LimitInput
          key={field.name}
          form={form}
          field={field}
          fallback={defaults?.[field.name]}
          effective={effective}
          disabled={disabled}
          use={
            effective && <LimitUsageInForm projectId={projectId} model={row.limit.model} field={field.name} />
          }
        />
      ))}
    </fieldset>
  );
}
