import { Status } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { capitalize } from "@/components/ui/text/capitalize";
import { groupDigits } from "@/components/ui/values/group-digits";
import type { ReconciliationCheck } from "@/lib/contract/operations/money/reconciliation";
import { LinkedIds } from "./linked-ids";

/** Groups whole numbers, and the whole part of amounts, in a sentence of the gateway. */
const groupCounts = (text: string) => text.replace(/(?<![\w.])\d{4,}(?!\w)/g, groupDigits);

export const checkColumns: readonly Column<ReconciliationCheck>[] = [
  {
    id: "check",
    header: "Check",
    cell: ({ id, title, faults }) => (
      <div className="py-1">
        <div className="min-w-0">
          {capitalize(title)} <span className="font-mono text-xs text-muted">{id}</span>
          {faults.length > 0 && (
            <ul className="mt-1 grid gap-1 text-sm">
              {faults.map((fault) => (
                <li key={fault} className="wrap-anywhere whitespace-normal">
                  <LinkedIds text={fault} />
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    ),
  },
  { id: "looked", header: "Checked", width: "w-80", cell: ({ looked }) => groupCounts(looked) },
  {
    id: "state",
    header: "Result",
    width: "w-28",
    phone: "end",
    cell: ({ faults }) =>
      faults.length === 0 ? (
        <Status tone="good">Passed</Status>
      ) : (
        <Status tone="bad">{faults.length === 1 ? "1 fault" : `${faults.length} faults`}</Status>
      ),
  },
];
