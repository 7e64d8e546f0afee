import type { ReactNode } from "react";
import { Section } from "@/components/ui/section";
import { SortedTable } from "@/components/ui/table/sorted-table";
import { describeUnits } from "@/components/ui/values/describe-units";
import { formatCount, groupDigits } from "@/components/ui/values/group-digits";
import { formatAmount } from "@/lib/money/amount";
import { computeCallCost, findCallPrice, PARTS_PER_UNIT } from "@/lib/money/charge";
import { computePurchase, type Question } from "./calculate";
import type { Calculation } from "./calculation";
import { type PurchaseRow, purchaseColumns } from "./purchase-columns";
import type { Asked } from "./use-calculator-address";
import { CountBox } from "./worth-card";

type CompareModelsProps = {
  shown: Calculation;
  question: Question;
  rows: readonly PurchaseRow[];
  change: (part: Partial<Asked>) => void;
};

/** The result for every model, and the cost of one call with each. */
export function CompareModels({ shown, question, rows, change }: CompareModelsProps) {
  const { callInput, callOutput, callUnits, model, linked } = shown;
  const hasUnits = rows.some(({ price }) => price.perUnit);
  const chosen = rows.find((row) => row.model === model?.id);
  const sizes = [callInput, callOutput, ...(hasUnits ? [callUnits] : [])];
  const hasCalls = sizes.every(({ value }) => value !== null);
  const columns = purchaseColumns({
    asksWorth: "worth" in question,
    hasThen: linked !== null,
    hasUnits,
    hasCalls,
    chosen,
    choose: (id) => change({ model: id, rate: null, price_in: null, price_out: null, price_unit: null }),
  });
  return (
    <Section title={writeComparisonTitle(question)}>
      <div className="flex flex-wrap items-baseline gap-2">
        <span className="text-muted max-sm:w-full">One call:</span>
        <Size label="tokens in,">
          <CountBox
            label="Tokens in"
            value={callInput.text}
            fault={callInput.fault}
            onChange={(text) => change({ in: text })}
          />
        </Size>
        <Size label={hasUnits ? "tokens out, or" : "tokens out"}>
          <CountBox
            label="Tokens out"
            value={callOutput.text}
            fault={callOutput.fault}
            onChange={(text) => change({ out: text })}
          />
        </Size>
        {hasUnits && (
          <Size label="images, seconds or other units">
            <CountBox
              label="Units"
              value={callUnits.text}
              fault={callUnits.fault}
              onChange={(text) => change({ units: text })}
            />
          </Size>
        )}
      </div>
      <SortedTable
        caption={writeComparisonTitle(question)}
        columns={columns}
        rows={rows}
        rowId={(row) => row.model}
        first={{
          count: 20,
          noun: "models",
          isKept: ({ model: id }) => id === model?.id || linked?.changed.includes(id) === true,
        }}
        initialSort={{
          column: "worth" in question ? "payment" : "worth",
          descending: !("worth" in question),
        }}
      />
      {chosen && hasCalls && <CallFormula row={chosen} shown={shown} />}
    </Section>
  );
}

/** A count with its unit, which stay on one line. */
function Size({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span className="flex items-baseline gap-2">
      <span className="w-24">{children}</span>
      <span className="text-muted">{label}</span>
    </span>
  );
}

/** Returns a row for every model that has a price, and for each quality that has its own. */
export function listPurchaseRows({ sheet, linked, call }: Calculation, question: Question): PurchaseRow[] {
  return [...sheet].map(([model, price]) => {
    const before = linked?.sheet.get(model);
    return {
      model,
      price,
      ...computePurchase(question, price, call),
      linked: before ? computePurchase(question, before, call) : null,
    };
  });
}

function writeComparisonTitle(question: Question): string {
  return "worth" in question
    ? `What ${write(question.worth)} at list prices costs, by model`
    : `What ${write(question.payment)} buys, by model`;
}

/** The arithmetic of one call with its numbers, as in the ledger. */
function CallFormula({ row: { price, model }, shown: { call } }: { row: PurchaseRow; shown: Calculation }) {
  const { charge } = computeCallCost(call, price);
  const { perUnit, rate, inputPer1m, outputPer1m, audio, classes } = findCallPrice(price, call);
  const cached = classes?.cachedInputPer1m;
  const listed = perUnit
    ? `${describeUnits(String((call.units ?? 0) / PARTS_PER_UNIT), perUnit.unit)} × ${write(perUnit.amount)}`
    : `(${formatCount(call.promptTokens)} × ${write(inputPer1m)} + ${formatCount(call.completionTokens)} × ${write(outputPer1m)}) ÷ 1,000,000`;
  return (
    <p className="text-sm text-muted">
      One call of {model}: {listed} × {write(rate)} {charge.isRounded ? "≈" : "="}{" "}
      <data value={formatAmount(charge.amount)} className="text-foreground">
        {write(charge.amount)}
      </data>
      . Each call is rounded on its own.
      {!perUnit &&
        (cached === undefined
          ? " Cached input is charged as input."
          : ` Cached input costs ${write(cached)} for 1,000,000 tokens.`)}
      {audio && " These are text tokens; audio tokens have their own prices."}
    </p>
  );
}

const write = (amount: PurchaseRow["price"]["rate"]) => groupDigits(formatAmount(amount));
