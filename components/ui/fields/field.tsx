import { CircleX } from "lucide-react";
import type { ReactNode } from "react";
import { ApiName } from "@/components/ui/api-name";

export type FieldTexts = {
  label: string;
  /** The API's name of the field, shown in mono beside the label. */
  apiName?: string;
  /** Shown below the field unless it has an error. */
  help?: ReactNode;
  /** Marks the field as optional. Fields are required by default. */
  optional?: boolean;
};

type FieldProps = FieldTexts & {
  id: string;
  error?: string | undefined;
  /** How a valid value was understood, shown below the field. */
  understood?: string | undefined;
  children: ReactNode;
};

/** A label, a control, and below it help or an error. */
export function Field({
  id,
  label,
  apiName,
  help,
  optional = false,
  error,
  understood,
  children,
}: FieldProps) {
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap items-baseline gap-x-2">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <ApiName name={apiName} />
        {optional && <span className="ml-auto text-xs text-muted">Optional</span>}
      </div>
      {children}
      <div id={`${id}-help`} className="min-h-5 text-sm text-muted empty:hidden">
        <FieldHelp error={describeError(label, error)} understood={understood} help={help} />
      </div>
    </div>
  );
}

function FieldHelp({ error, understood, help }: Pick<FieldProps, "error" | "understood" | "help">) {
  if (error) {
    return (
      <span className="flex items-start gap-1.5 text-danger">
        <CircleX aria-hidden className="mt-0.5 size-4 shrink-0" />
        {error}
      </span>
    );
  }
  if (!understood) return help;
  return (
    <>
      <span className="text-foreground">{understood}</span>
      {help && <> · {help}</>}
    </>
  );
}

/** Attributes that connect a control with its label, help and error. */
export function fieldAttributes(id: string, error: string | undefined) {
  return { id, "aria-describedby": `${id}-help`, "aria-invalid": error ? true : undefined } as const;
}

/**
 * Returns the error of a field as a sentence. The contract's schemas give predicates ("must not be empty"), which get
 * the field's label as their subject. Other messages are sentences already.
 */
export function describeError(label: string, message: string | undefined): string | undefined {
  return message && /^(must|is|has|does) /.test(message) ? `${label} ${message}.` : message;
}
