import { type ReactNode, useId, useMemo, useState } from "react";
import { flushSync } from "react-dom";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ChoiceSelect } from "@/components/ui/fields/choice-select";
import { describeError, Field, fieldAttributes } from "@/components/ui/fields/field";
import { useEarlyEntry } from "@/components/ui/fields/use-early-entry";
import { UnitInput } from "@/components/ui/number-fields/parsed-input";
import { CopyButton } from "@/components/ui/text/copy-button";
import { formatUtcDay } from "@/components/ui/time/describe-time";
import { formatDecimal, groupDigits } from "@/components/ui/values/group-digits";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import {
  computePaymentForWorth,
  computeWorth,
  formatAmount,
  type Nano,
  type RoundedAmount,
} from "@/lib/money/amount";
import type { Calculation } from "./calculation";
import type { Asked } from "./use-calculator-address";

type WorthCardProps = {
  shown: Calculation;
  models: readonly OrganizationModel[];
  currency: string | undefined;
  change: (part: Partial<Asked>) => void;
};

const noPrices = { price_in: null, price_out: null, price_unit: null };

/** Converts between payment and worth at a model rate. Typing in one box computes the other. */
export function WorthCard({ shown, models, currency, change }: WorthCardProps) {
  const { payment, worth, rate, model, isWhatIf } = shown;
  const asksWorth = worth.text !== "";
  const left = asksWorth ? worth.value : payment.value;
  const result = solve(asksWorth, left, rate.value);
  return (
    <Card className="grid content-start gap-4">
      <NumberBox
        label="I pay"
        value={asksWorth ? write(result) : payment.text}
        onChange={(text) => change({ payment: text, worth: null })}
        fault={asksWorth ? null : payment.fault}
        parsedValue={asksWorth ? null : payment.value}
        unit={currency}
        isRequired={!asksWorth}
      />
      <RateOfModel
        models={models}
        chosen={model?.id ?? ""}
        choose={(id) => change({ model: id, rate: id ? null : rate.text, ...noPrices })}
      />
      <NumberBox
        label="Model rate"
        value={rate.text}
        onChange={(text) => change({ rate: text, ...(!model && { model: "" }) })}
        fault={rate.fault}
        unit="× list price"
        help={model && <RateVersion model={model} />}
        isRequired
      />
      <NumberBox
        label="Worth at list prices"
        value={asksWorth ? worth.text : write(result)}
        onChange={(text) => change({ worth: text, payment: text === "" ? "" : null })}
        fault={asksWorth ? worth.fault : null}
        parsedValue={asksWorth ? worth.value : null}
        unit={currency}
        help="Change it to see what you have to pay."
      />
      <Equation
        left={left}
        sign={asksWorth ? "×" : "÷"}
        rate={rate.value}
        result={result}
        then={<AsComputed shown={shown} />}
      />
      {model && <WhatIfPrices shown={shown} currency={currency} change={change} />}
      {isWhatIf && (
        <div className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-warning-soft px-3 py-2 text-sm print:border">
          <span>What if: this isn’t the present rate or price.</span>
          <Button size="small" onClick={() => change({ rate: null, ...noPrices })}>
            Use the present ones
          </Button>
        </div>
      )}
    </Card>
  );
}

/** Computes the other side of the equation; null while a side is missing. */
function solve(asksWorth: boolean, left: Nano | null, rate: Nano | null): RoundedAmount | null {
  if (left === null || rate === null) return null;
  return asksWorth ? computePaymentForWorth(left, rate) : computeWorth(left, rate);
}

/** Tries other list prices for the chosen model. */
function WhatIfPrices({ shown, currency, change }: Omit<WorthCardProps, "models">) {
  const { inputPrice, outputPrice, unitPrice, model, sheet } = shown;
  const unit = model && sheet.get(model.id)?.perUnit?.unit;
  const boxes = unit
    ? [{ name: "price_unit", label: `Price of one ${unit}`, box: unitPrice } as const]
    : [
        { name: "price_in", label: "Price of 1,000,000 input tokens", box: inputPrice } as const,
        { name: "price_out", label: "Price of 1,000,000 output tokens", box: outputPrice } as const,
      ];
  return (
    <details className="border-t pt-3" open={boxes.some(({ box }) => box.isTyped) || undefined}>
      <summary className="rounded-sm font-medium">What if its list price changes?</summary>
      <div className="mt-3 grid gap-4">
        {boxes.map(({ name, label, box }) => (
          <NumberBox
            key={name}
            label={label}
            value={box.text}
            onChange={(text) => change({ [name]: text })}
            fault={box.fault}
            unit={currency}
            isRequired
          />
        ))}
      </div>
    </details>
  );
}

function RateVersion({ model }: { model: OrganizationModel }) {
  if (model.price_set_at === null) return <>As {model.id} was defined; not changed since.</>;
  const day = formatUtcDay(model.price_set_at);
  const { rate } = model;
  return (
    <>
      {formatDecimal(rate)} since {day} (UTC).
    </>
  );
}

/** The same at the rate of the link, if it has changed since. */
function AsComputed({ shown: { linked, model, payment, worth, rate } }: { shown: Calculation }) {
  const before = model && linked?.sheet.get(model.id)?.rate;
  if (!before || before === rate.value) return null;
  const asksWorth = worth.text !== "";
  const left = asksWorth ? worth.value : payment.value;
  const result = solve(asksWorth, left, before);
  if (left === null || !result) return null;
  return (
    <p className="text-sm text-muted wrap-anywhere">
      As computed: {group(left)} {asksWorth ? "×" : "÷"} {group(before)} {result.isRounded ? "≈" : "="}{" "}
      <data value={formatAmount(result.amount)}>{group(result.amount)}</data>
    </p>
  );
}

type EquationProps = {
  left: Nano | null;
  sign: string;
  rate: Nano | null;
  result: RoundedAmount | null;
  /** What the calculation was before, below it. */
  then: ReactNode;
};

function Equation({ left, sign, rate, result, then }: EquationProps) {
  return (
    <div className="border-t pt-4">
      <div className="flex flex-wrap items-center gap-x-1">
        <p role="status" className="text-xl font-semibold tracking-tight wrap-anywhere">
          {left !== null && rate !== null && result ? (
            <>
              {group(left)} <Sign>{sign}</Sign> {group(rate)} <Sign>{result.isRounded ? "≈" : "="}</Sign>{" "}
              {group(result.amount)}
            </>
          ) : (
            <span className="text-base font-normal text-muted">worth = payment ÷ model rate</span>
          )}
        </p>
        {left !== null && rate !== null && result && (
          <CopyButton what="result" text={formatAmount(result.amount)} />
        )}
      </div>
      {then}
      <p className="mt-1 text-sm text-muted">Rounded once, half away from zero, to nine decimals.</p>
    </div>
  );
}

function Sign({ children }: { children: string }) {
  return <span className="font-normal text-muted">{children}</span>;
}

const group = (amount: Nano) => groupDigits(formatAmount(amount));
const write = (computed: RoundedAmount | null) => (computed ? group(computed.amount) : "");

type RateOfModelProps = {
  models: readonly OrganizationModel[];
  chosen: string;
  choose: (model: string) => void;
};

/** Fills in the rate of a chosen model. Renders nothing if no model has a price. */
function RateOfModel({ models, chosen, choose }: RateOfModelProps) {
  const id = useId();
  const options = useMemo(
    () =>
      models
        .filter(({ price, unit_price }) => (price ?? unit_price) !== null)
        .map((model) => ({ value: model.id, label: model.id })),
    [models],
  );
  if (options.length === 0) return null;
  return (
    <Field id={id} label="Model">
      <ChoiceSelect
        label="Model"
        id={id}
        value={chosen}
        nothing="No model: a rate of my own"
        options={options}
        choose={choose}
      />
    </Field>
  );
}

type NumberBoxProps = {
  label: string;
  value: string;
  onChange: (text: string) => void;
  fault: string | null;
  /** The parsed value, shown if the text is written differently. */
  parsedValue?: Nano | null;
  unit?: string | undefined;
  help?: ReactNode;
  isRequired?: boolean;
};

/** A number field that reports every keystroke. Shows its error once it has been left. */
function NumberBox(props: NumberBoxProps) {
  const { label, value, onChange, fault, parsedValue = null, unit, help, isRequired = false } = props;
  const id = useId();
  const [showsError, setShowsError] = useState(true);
  // Several boxes may have early entries, and each must be rendered before the next is read.
  useEarlyEntry(id, (text) => flushSync(() => onChange(text)));
  const error =
    (showsError && (fault ?? (isRequired && value.trim() === "" ? "is required" : null))) || undefined;
  const tidy = parsedValue === null ? null : groupDigits(formatAmount(parsedValue));
  return (
    <Field
      id={id}
      label={label}
      error={error}
      help={help}
      understood={tidy !== null && tidy !== value.trim() ? `= ${tidy}${unit ? ` ${unit}` : ""}` : undefined}
    >
      <UnitInput
        {...fieldAttributes(id, error)}
        type="text"
        inputMode="decimal"
        value={value}
        unit={unit}
        onChange={(event) => {
          setShowsError(error !== undefined);
          onChange(event.target.value);
        }}
        onBlur={() => setShowsError(true)}
      />
    </Field>
  );
}

type CountBoxProps = {
  /** The accessible name, visible on a phone. */
  label: string;
  value: string;
  fault: string | null;
  onChange: (text: string) => void;
};

/** A count in a table of boxes whose column heads name them. Shows its error below. */
export function CountBox({ label, value, fault, onChange }: CountBoxProps) {
  const id = useId();
  // Several boxes may have early entries, and each must be rendered before the next is read.
  useEarlyEntry(id, (text) => flushSync(() => onChange(text)));
  const error = fault ?? (value.trim() === "" ? "is required" : null);
  return (
    <span className="grid gap-1">
      <input
        id={id}
        aria-label={label}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-error`}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        className="field h-9 w-full text-right pointer-coarse:h-11"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <span id={`${id}-error`} className="text-sm text-danger empty:hidden">
        {error && describeError(label, error)}
      </span>
    </span>
  );
}
