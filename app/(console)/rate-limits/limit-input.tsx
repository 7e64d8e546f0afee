import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import type { LimitField } from "@/components/rate-limits/limit-fields";
import { Button } from "@/components/ui/button";
import { NumberField } from "@/components/ui/number-fields/number-field";
import { formatCount } from "@/components/ui/values/group-digits";
import type { RateLimitValues } from "@/lib/contract/calls/rate-limit-table";

type LimitInputProps = {
  form: UseFormReturn<RateLimitValues>;
  field: LimitField;
  /** The model's default; undefined if unknown. */
  defaultLimit: number | null | undefined;
  isEffective: boolean;
  disabled: boolean;
  /** The limit's current usage. */
  usage: ReactNode;
  /** Sends calls against the saved limit; absent where there is none to prove. */
  prove?: (() => void) | undefined;
};

/** A field for one limit: the number, its meaning, the model's default and a button to restore that. */
export function LimitInput({
  form,
  field,
  defaultLimit,
  isEffective,
  disabled,
  usage,
  prove,
}: LimitInputProps) {
  const value = useWatch({ control: form.control, name: field.name });
  const set = (next: number | null) =>
    form.setValue(field.name, next as number, {
      shouldDirty: true,
      shouldTouch: true,
      shouldValidate: true,
    });
  const canReset = !disabled && defaultLimit !== undefined && !Object.is(value, defaultLimit);
  const canRemove = !disabled && field.removable && value !== null && value !== undefined;

  return (
    // Units have the same width, so that all numbers are aligned.
    <div className="grid gap-1 [&_input+span]:min-w-28">
      <NumberField
        control={form.control}
        name={field.name}
        label={field.label}
        apiName={field.name}
        help={field.meaning}
        unit={field.unit}
        disabled={disabled}
        {...(field.removable ? { emptyValue: null, placeholder: "No limit" } : {})}
      />
      {isEffective && value === 0 && <NothingPasses />}
      {usage}
      <div className="flex min-h-7 flex-wrap items-center gap-x-1 text-sm text-muted">
        {defaultLimit !== undefined && <span className="mr-1">Default: {writeLimit(defaultLimit)}</span>}
        {canReset && (
          <Button
            size="small"
            variant="ghost"
            aria-label={`Reset to default: ${field.label}`}
            onClick={() => set(defaultLimit)}
          >
            Reset to default
          </Button>
        )}
        {canRemove && (
          <Button
            size="small"
            variant="ghost"
            aria-label={`Remove limit: ${field.label}`}
            onClick={() => set(null)}
          >
            Remove limit
          </Button>
        )}
        {prove && (
          <Button size="small" variant="ghost" aria-label={`Prove it: ${field.label}`} onClick={prove}>
            Prove it
          </Button>
        )}
      </div>
    </div>
  );
}

function NothingPasses() {
  return (
    <p role="status" className="flex items-start gap-1.5 text-sm text-warning">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />0 lets nothing through: the gateway
      refuses every call that counts here.
    </p>
  );
}

function writeLimit(limit: number | null): string {
  return limit === null ? "no limit" : formatCount(limit);
}
