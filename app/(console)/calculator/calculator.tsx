"use client";

import { useRead } from "@/app/queries/use-read";
import { groupDigits } from "@/components/ui/group-digits";
import { Notice } from "@/components/ui/notice";
import type { OrganizationModel } from "@/lib/contract/operations/models";
import { amountOf, formatAmount, type Nano } from "@/lib/money/amount";
import type { PriceSnapshot } from "@/lib/money/charge";
import { type Computed, paymentFor, readAmount, readRate, worthOf } from "./calculate";
import { CallCost } from "./call-cost";
import { Formula } from "./formula";
import { ModelChoice } from "./model-choice";
import { NumberBox } from "./number-box";
import { TokensBought } from "./tokens-bought";
import { useAddressState } from "./use-address-state";

const start = { payment: "", worth: "", rate: "", model: "", in: "", out: "" };

/** Payment ↔ worth at a model rate, by the functions that make the ledger’s charges. */
export function Calculator({ hasModels, currency }: { hasModels: boolean; currency: string | undefined }) {
  const models =
    useRead("listOrganizationModels", { limit: "1000" }, { enabled: hasModels }).data?.data ?? [];
  const find = (id: string) => models.find((model) => model.id === id);
  // An address that names a model and no rate asks for the model's.
  const [typed, change] = useAddressState(start, (given) =>
    given.rate ? given : { ...given, rate: find(given.model)?.rate ?? "" },
  );
  const model = find(typed.model);

  const rate = readRate(typed.rate);
  const [payment, worth] = [readAmount(typed.payment), readAmount(typed.worth)];
  // The box that was typed in last leads; the other shows what follows from it.
  const computedPayment = typed.worth ? paymentFor(worth.value, rate.value) : null;
  const computedWorth = typed.payment ? worthOf(payment.value, rate.value) : null;
  const paid = computedPayment?.amount ?? payment.value;
  const price = priceOf(model, rate.value);

  return (
    <div className="grid items-start gap-x-12 gap-y-10 xl:grid-cols-[minmax(0,560px)_minmax(0,1fr)]">
      <div className="grid gap-5">
        <ModelChoice models={models} chosen={typed.model} choose={change} />
        <NumberBox
          label="Model rate"
          value={typed.rate}
          onChange={(text) => change({ rate: text })}
          fault={rate.fault}
          unit="× list price"
        />
        <NumberBox
          label="Payment"
          value={typed.worth ? write(computedPayment) : typed.payment}
          onChange={(text) => change({ payment: text, worth: "" })}
          fault={typed.worth ? null : payment.fault}
          unit={currency}
          help={computedPayment?.isRounded ? ROUNDED : undefined}
        />
        <NumberBox
          label="Worth at list prices"
          value={typed.payment ? write(computedWorth) : typed.worth}
          onChange={(text) => change({ worth: text, payment: "" })}
          fault={typed.payment ? null : worth.fault}
          unit={currency}
          help={computedWorth?.isRounded ? ROUNDED : undefined}
        />
        <Formula
          rate={rate.value}
          payment={payment.value}
          worth={worth.value}
          {...{ computedPayment, computedWorth }}
        />
      </div>
      {model && price ? (
        <div className="grid gap-10">
          {paid !== null && <TokensBought paid={paid} price={price} model={model.id} />}
          <CallCost price={price} model={model.id} currency={currency} typed={typed} change={change} />
        </div>
      ) : (
        models.length > 0 && (
          <Notice title="Tokens and calls">
            Choose a model to see how many tokens a payment buys of it, and what one call costs.
          </Notice>
        )
      )}
    </div>
  );
}

const ROUNDED = "Rounded to nine decimals.";

const write = (computed: Computed | null) => (computed ? groupDigits(formatAmount(computed.amount)) : "");

/** A model’s list prices at the rate that is typed; null where either is missing. */
function priceOf(model: OrganizationModel | undefined, rate: Nano | null): PriceSnapshot | null {
  if (!model?.price || rate === null) return null;
  return {
    inputPer1m: amountOf(model.price.input_per_1m),
    outputPer1m: amountOf(model.price.output_per_1m),
    rate,
  };
}
