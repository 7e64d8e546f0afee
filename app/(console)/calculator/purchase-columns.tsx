import type { Column } from "@/components/table/column";
import { groupDigits, trimDecimal } from "@/components/ui/group-digits";
import { Quantity } from "@/components/ui/quantity";
import { formatAmount } from "@/lib/money/amount";
import type { PriceSnapshot } from "@/lib/money/charge";
import { ratioOf } from "@/lib/money/plan";
import { RoundedMoney } from "../rounded-money";
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
  /** The model that call costs are compared with; null if none is chosen. */
  chosen: PurchaseRow | undefined;
  choose: (model: string) => void;
};

type Columns = readonly Column<PurchaseRow>[];

export function purchaseColumns({ asksWorth, hasThen, chosen, choose }: ColumnChoice): Columns {
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
          className="min-h-6 rounded-sm text-left font-mono text-sm break-all hover:underline"
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
      cell: ({ price }) => groupDigits(trimDecimal(formatAmount(price.rate))),
    },
    ...(hasThen ? [computedThen(answer)] : []),
    {
      id: answer,
      header: hasThen ? "Today" : asksWorth ? "Pay" : "Worth at list prices",
      numeric: true,
      phone: "end",
      sortValue: (row) => row[answer].amount,
      cell: (row) => (
        <span className="font-medium">
          <RoundedMoney {...row[answer]} />
        </span>
      ),
    },
    ...(hasThen ? [] : tokenColumns),
    { ...countColumn("calls", "or calls"), header: hasThen ? "Calls today" : "or calls" },
    ...(chosen && !hasThen ? [against(chosen)] : []),
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

const tokenColumns = [countColumn("inputTokens", "Tokens in"), countColumn("outputTokens", "or tokens out")];

function countColumn(id: "inputTokens" | "outputTokens" | "calls", header: string): Column<PurchaseRow> {
  return {
    id,
    header,
    numeric: true,
    sortValue: (row) => row[id],
    cell: (row) => (Number.isFinite(row[id]) ? <Quantity value={row[id]} /> : "free"),
  };
}

/** Compares the cost of the same call with the chosen model's, as a multiple. */
function against({ model: chosen, callCost }: PurchaseRow): Column<PurchaseRow> {
  const cost = callCost.charge.amount;
  const ratio = (row: PurchaseRow) => {
    const times = ratioOf(row.callCost.charge.amount, cost);
    const isRounded = times !== null && (row.callCost.charge.amount * 100n) % cost !== 0n;
    return times && `${isRounded ? "≈ " : ""}${Number(times)} × ${chosen}`;
  };
  return {
    id: "against",
    header: "A call costs",
    numeric: true,
    sortValue: ({ callCost: { charge } }) => charge.amount,
    cell: (row) => (
      <span className="inline-grid justify-items-end">
        <RoundedMoney {...row.callCost.charge} />
        {row.model !== chosen && ratio(row) && <span className="text-sm text-muted">{ratio(row)}</span>}
      </span>
    ),
  };
}
