import type { ComponentProps } from "react";

type UnitInputProps = ComponentProps<"input"> & {
  /** Shown inside the box, after the number: "requests", "USD". */
  unit?: string | undefined;
};

/** A right-aligned number input with its unit in the same box. */
export function UnitInput({ unit, ...input }: UnitInputProps) {
  return (
    <div className="flex items-stretch">
      <input
        {...input}
        autoComplete="off"
        className={`field h-9 min-w-0 flex-1 text-right pointer-coarse:h-11 ${unit ? "rounded-r-none focus-visible:z-1" : ""}`}
      />
      {unit && (
        <span className="flex min-w-24 items-center rounded-r-md border border-l-0 border-field-border bg-default-soft px-2.5 text-sm whitespace-nowrap text-muted">
          {unit}
        </span>
      )}
    </div>
  );
}
