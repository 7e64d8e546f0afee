import { useId } from "react";
import { flushSync } from "react-dom";
import { describeError } from "@/components/ui/fields/describe-error";
import { useEarlyEntry } from "@/components/ui/fields/use-early-entry";

type CountBoxProps = {
  /** The accessible name, visible on a phone. */
  label: string;
  value: string;
  fault: string | null;
  onChange: (text: string) => void;
};

/** A count in a table of boxes whose column heads name them. Shows its error below. */
export function CountBox({ label, value, fault, onChange }: CountBoxProps) {
  const id = useId();
  // Several boxes may have early entries, and each must be rendered before the next is read.
  useEarlyEntry(id, (text) => flushSync(() => onChange(text)));
  const error = fault ?? (value.trim() === "" ? "is required" : null);
  return (
    <span className="grid gap-1">
      <input
        id={id}
        aria-label={label}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-error`}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        className="field h-9 w-full text-right pointer-coarse:h-11"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <span id={`${id}-error`} className="text-sm text-danger empty:hidden">
        {error && describeError(label, error)}
      </span>
    </span>
  );
}
