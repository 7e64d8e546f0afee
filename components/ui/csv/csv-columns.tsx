import { useId } from "react";
import { ChoiceSelect } from "../fields/choice-select";

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
          <ChoiceSelect
            label={label}
            id={`${id}-${name}`}
            value={map[name] === null ? "" : String(map[name])}
            nothing={none}
            // A column's position is its only identity.
            options={head.map((title, index) => ({
              value: String(index),
              label: title || `Column ${index + 1}`,
            }))}
            choose={(value) => onChange(name, value === "" ? null : Number(value))}
            className="h-8 w-auto max-w-56"
          />
        </div>
      ))}
    </div>
  );
}
