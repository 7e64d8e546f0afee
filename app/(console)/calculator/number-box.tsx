"use client";

import { type ReactNode, useId, useState } from "react";
import { flushSync } from "react-dom";
import { Field, fieldAttributes } from "@/components/ui/fields/field";
import { useEarlyEntry } from "@/components/ui/fields/use-early-entry";
import { UnitInput } from "@/components/ui/number-fields/unit-input";
import { groupDigits } from "@/components/ui/values/group-digits";
import { formatAmount, type Nano } from "@/lib/money/amount";

type NumberBoxProps = {
  label: string;
  value: string;
  onChange: (text: string) => void;
  fault: string | null;
  /** The parsed value, shown if the text is written differently. */
  parsedValue?: Nano | null;
  unit?: string | undefined;
  help?: ReactNode;
  isRequired?: boolean;
};

/** A number field that reports every keystroke. Shows its error once it has been left. */
export function NumberBox(props: NumberBoxProps) {
  const { label, value, onChange, fault, parsedValue = null, unit, help, isRequired = false } = props;
  const id = useId();
  const [showsError, setShowsError] = useState(true);
  // Several boxes may have early entries, and each must be rendered before the next is read.
  useEarlyEntry(id, (text) => flushSync(() => onChange(text)));
  const error =
    (showsError && (fault ?? (isRequired && value.trim() === "" ? "is required" : null))) || undefined;
  const tidy = parsedValue === null ? null : groupDigits(formatAmount(parsedValue));
  return (
    <Field
      id={id}
      label={label}
      error={error}
      help={help}
      understood={tidy !== null && tidy !== value.trim() ? `= ${tidy}${unit ? ` ${unit}` : ""}` : undefined}
    >
      <UnitInput
        {...fieldAttributes(id, error)}
        type="text"
        inputMode="decimal"
        value={value}
        unit={unit}
        onChange={(event) => {
          setShowsError(error !== undefined);
          onChange(event.target.value);
        }}
        onBlur={() => setShowsError(true)}
      />
    </Field>
  );
}
