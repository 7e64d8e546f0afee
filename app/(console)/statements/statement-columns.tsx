import type { Column } from "@/components/ui/table/column";
import { monthName } from "@/components/ui/time/month-name";
import { RelativeTime } from "@/components/ui/time/relative-time";
import { Money } from "@/components/ui/values/money";
import type { StatementHead } from "@/lib/contract/operations/money/statements";
import { StatementState } from "./statement-state";

export function statementColumns(currency: string | undefined): readonly Column<StatementHead>[] {
  const amount = (
    id: string,
    header: string,
    readAmount: (statement: StatementHead) => string,
    more: Partial<Column<StatementHead>> = {},
  ): Column<StatementHead> => ({
    id,
    header,
    unit: currency,
    numeric: true,
    amount: readAmount,
    cell: (statement) => <Money amount={readAmount(statement)} />,
    ...more,
  });
  return [
    {
      id: "month",
      header: "Month",
      phone: "title",
      width: "w-40",
      cell: ({ id }) => <span className="font-medium">{monthName(id)}</span>,
    },
    {
      id: "state",
      header: "State",
      cell: ({ state, closed_at, closed_by }) => (
        <span className="flex flex-wrap items-baseline gap-x-2">
          <StatementState state={state} />
          {closed_at !== null && closed_by && (
            <span className="text-sm text-muted">
              by {closed_by.name} <RelativeTime at={closed_at} />
            </span>
          )}
        </span>
      ),
    },
    amount("opening", "Opening balance", ({ opening_balance }) => opening_balance, { wide: true }),
    amount("payments", "Payments", ({ payments }) => payments),
    amount("charges", "Charges", ({ charges }) => charges),
    amount("corrections", "Corrections", ({ corrections = "0.00" }) => corrections, { wide: true }),
    amount("closing", "Closing balance", ({ closing_balance }) => closing_balance),
  ];
}
