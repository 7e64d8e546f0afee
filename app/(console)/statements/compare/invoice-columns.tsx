import { Labelled } from "@/components/table/filter-fields";
import { type InvoiceColumn, type InvoiceMap, invoiceColumns } from "./read-invoice";

const labels: Record<InvoiceColumn, string> = { model: "Model", amount: "Amount", date: "Date" };

type InvoiceColumnsProps = {
  head: readonly string[];
  map: InvoiceMap;
  onChange: (column: InvoiceColumn, index: number | null) => void;
};

/** Assigns a meaning to each column of the file. */
export function InvoiceColumns({ head, map, onChange }: InvoiceColumnsProps) {
  return (
    <div className="flex flex-wrap gap-4">
      {invoiceColumns.map((column) => (
        <Labelled key={column} label={labels[column]}>
          {(id) => (
            <select
              id={id}
              className="field h-8 w-auto max-w-56 pointer-coarse:h-11"
              value={map[column] ?? ""}
              onChange={({ target: { value } }) => onChange(column, value === "" ? null : Number(value))}
            >
              <option value="">{column === "date" ? "No date: all of this month" : "Choose a column"}</option>
              {head.map((title, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column has no identity but its position
                <option key={index} value={index}>
                  {title || `Column ${index + 1}`}
                </option>
              ))}
            </select>
          )}
        </Labelled>
      ))}
    </div>
  );
}
