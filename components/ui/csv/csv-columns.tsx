import { useId } from "react";

/** A meaning that a column of the file can have. */
export type CsvColumn<Name extends string> = {
  name: Name;
  label: string;
  /** The choice if no column has this meaning. */
  none: string;
};

type CsvColumnsProps<Name extends string> = {
  columns: readonly CsvColumn<Name>[];
  /** The titles of the file's columns. */
  head: readonly string[];
  /** The index of each column in the file, from 0; null if it isn't chosen. */
  map: Readonly<Record<Name, number | null>>;
  onChange: (name: Name, index: number | null) => void;
};

/** Assigns a meaning to each column of a CSV. */
export function CsvColumns<Name extends string>({ columns, head, map, onChange }: CsvColumnsProps<Name>) {
  const id = useId();
  return (
    <div className="flex flex-wrap gap-4">
      {columns.map(({ name, label, none }) => (
        <div key={name} className="grid gap-1">
          <label htmlFor={`${id}-${name}`} className="text-sm font-medium">
            {label}
          </label>
          <select
            id={`${id}-${name}`}
            className="field h-8 w-auto max-w-56 pointer-coarse:h-11"
            value={map[name] ?? ""}
            onChange={({ target: { value } }) => onChange(name, value === "" ? null : Number(value))}
          >
            <option value="">{none}</option>
            {head.map((title, index) => (
              // Keyed by position, which is a column's only identity.
              <option key={index} value={index}>
                {title || `Column ${index + 1}`}
              </option>
            ))}
          </select>
        </div>
      ))}
    </div>
  );
}
