"use client";

import { useId, useState } from "react";
import { Field, fieldAttributes } from "@/components/form/field";
import { UnitInput } from "@/components/form/unit-input";

type NumberBoxProps = {
  label: string;
  value: string;
  onChange: (text: string) => void;
  fault: string | null;
  unit?: string | undefined;
  help?: string | undefined;
};

/** A number that is worked with as it is typed; what is wrong with it is said once it has been left. */
export function NumberBox({ label, value, onChange, fault, unit, help }: NumberBoxProps) {
  const id = useId();
  const [isLeft, setIsLeft] = useState(value !== "");
  const error = (isLeft && fault) || undefined;
  return (
    <Field id={id} label={label} error={error} help={help}>
      <UnitInput
        {...fieldAttributes(id, error)}
        type="text"
        inputMode="decimal"
        value={value}
        unit={unit}
        onChange={(event) => onChange(event.target.value)}
        onBlur={() => setIsLeft(value.trim() !== "")}
      />
    </Field>
  );
}
