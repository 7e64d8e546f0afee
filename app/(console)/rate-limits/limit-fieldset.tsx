import type { UseFormReturn } from "react-hook-form";
import { hasEffect, limitFields } from "@/components/rate-limits/limit-fields";
import type { RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import { LimitInput } from "./limit-input";
import type { LimitRow } from "./limit-row";
import { LimitUsageInForm } from "./limit-usage-in-form";

type LimitFieldsetProps = {
  form: UseFormReturn<RateLimitValues>;
  row: LimitRow;
  projectId: string;
  /** True for the limits that apply to the model's family, false for the others. */
  isEffective: boolean;
  disabled: boolean;
};

export function LimitFieldset({ form, row, projectId, isEffective, disabled }: LimitFieldsetProps) {
  const { family, defaults } = row;
  const fields = limitFields.filter((field) => hasEffect(field, family) === isEffective);
  if (fields.length === 0) return null;
  return (
    <fieldset className="grid gap-5">
      <legend className={isEffective ? "sr-only" : "mb-4 w-full border-t pt-5"}>
        {isEffective ? (
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
          defaultLimit={defaults?.[field.name]}
          isEffective={isEffective}
          disabled={disabled}
          usage={
            isEffective && (
              <LimitUsageInForm projectId={projectId} model={row.limit.model} field={field.name} />
            )
          }
        />
      ))}
    </fieldset>
  );
}
