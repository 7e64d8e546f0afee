import type { Column } from "@/components/ui/table/column";
import { formatDecimal } from "@/components/ui/values/group-digits";
import { Quantity } from "@/components/ui/values/quantity";
import { RoundedMoney } from "@/components/ui/values/rounded-money";
import { formatShortDecimal } from "@/components/ui/values/write-figures";
import { formatAmount, formatRatio } from "@/lib/money/amount";
import type { PriceSnapshot } from "@/lib/money/charge";
import type { Purchase } from "./calculate";

/** The result for one model: current, and as computed in a link. */
export interface PurchaseRow extends Purchase {
  readonly model: string;
  readonly price: PriceSnapshot;
  /** Null if no link is open or the model had no price then. */
  readonly linked: Purchase | null;
}

type ColumnChoice = {
  /** True if a worth was typed, false for a payment. */
  asksWorth: boolean;
  hasThen: boolean;
  /** True if a row is priced by the unit. */
  hasUnits: boolean;
  /** False if the size of a call is missing or invalid. */
  hasCalls: boolean;
  /** The model that call costs are compared with; null if none is chosen. */
  chosen: PurchaseRow | undefined;
  choose: (model: string) => void;
};

type Columns = readonly Column<PurchaseRow>[];

export function purchaseColumns({
  asksWorth,
  hasThen,
  hasUnits,
  hasCalls,
  chosen,
  choose,
}: ColumnChoice): Columns {
  const answer = asksWorth ? "payment" : "worth";
  return [
    {
      id: "model",
      header: "Model",
      sortValue: ({ model }) => model,
      cell: ({ model }) => (
        <button
          type="button"
          aria-pressed={model === chosen?.model}
          data-chosen={model === chosen?.model || undefined}
          className="min-h-6 min-w-32 rounded-sm text-left font-mono text-sm wrap-break-word hover:underline print:break-normal"
          onClick={() => choose(model)}
        >
          {model}
        </button>
      ),
    },
    {
      id: "rate",
      header: "Rate",
      numeric: true,
      sortValue: ({ price }) => price.rate,
      cell: ({ price }) => formatDecimal(formatAmount(price.rate)),
    },
    ...(hasThen ? [computedThen(answer)] : []),
    {
      id: answer,
      header: hasThen ? "Today" : asksWorth ? "Pay" : "Worth at list prices",
      numeric: true,
      amount: (row) => formatShortDecimal(row[answer].amount),
      sortValue: (row) => row[answer].amount,
      cell: (row) => (
        <span className="font-medium">
          <RoundedMoney {...row[answer]} />
        </span>
      ),
    },
    ...(hasThen
      ? []
      : [
          amountColumn(hasUnits ? "Tokens in, or units" : "Tokens in"),
          { ...countColumn("outputTokens", "Or tokens out"), wide: true },
        ]),
    ...(hasCalls ? [countColumn("calls", hasThen ? "Calls today" : "Or calls")] : []),
    ...(chosen && hasCalls && !hasThen ? againstColumns(chosen) : []),
  ];
}

function computedThen(answer: "payment" | "worth"): Column<PurchaseRow> {
  return {
    id: "linked",
    header: "As computed",
    numeric: true,
    sortValue: ({ linked }) => linked && linked[answer].amount,
    cell: ({ linked }) =>
      linked ? <RoundedMoney {...linked[answer]} /> : <span className="text-muted">not in the link</span>,
  };
}

function countColumn(id: "outputTokens" | "calls", header: string): Column<PurchaseRow> {
  return { id, header, numeric: true, sortValue: (row) => row[id], cell: (row) => <Count value={row[id]} /> };
}

/** Input tokens or, for a model that is priced by the unit, units. */
function amountColumn(header: string): Column<PurchaseRow> {
  return {
    id: "inputTokens",
    header,
    numeric: true,
    sortValue: ({ inputTokens, units }) => inputTokens ?? units,
    cell: ({ inputTokens, units, price: { perUnit } }) =>
      perUnit && units !== null ? <Units value={units} unit={perUnit.unit} /> : <Count value={inputTokens} />,
  };
}

function Count({ value }: { value: number | null }) {
  if (value === null) return <span className="text-muted">–</span>;
  return Number.isFinite(value) ? <Quantity value={value} /> : "free";
}

function Units({ value, unit }: { value: number; unit: string }) {
  if (!Number.isFinite(value)) return "free";
  return (
    <>
      <Quantity value={value} /> <span className="text-muted">{value === 1 ? unit : `${unit}s`}</span>
    </>
  );
}

/** The cost of one call, and its multiple of the cost with the chosen model. */
function againstColumns({ callCost, model }: PurchaseRow): Columns {
  const cost = callCost.charge.amount;
  const ratio = ({ callCost: { charge } }: PurchaseRow) => {
    const times = formatRatio(charge.amount, cost);
    const isRounded = times !== null && (charge.amount * 100n) % cost !== 0n;
    if (times === "0.00" && isRounded) return "less than 0.01 ×";
    return times && `${isRounded ? "≈ " : ""}${Number(times)} ×`;
  };
  return [
    {
      id: "call-cost",
      header: "Cost per call",
      numeric: true,
      sortValue: ({ callCost: { charge } }) => charge.amount,
      cell: (row) => <RoundedMoney {...row.callCost.charge} />,
    },
    {
      id: "relative",
      header: `Against ${model}`,
      numeric: true,
      wide: true,
      cell: (row) => <span className="whitespace-nowrap text-muted">{ratio(row)}</span>,
    },
  ];
}
