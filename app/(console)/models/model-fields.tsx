"use client";

import { type ReactNode, useState } from "react";
import { type Control, type FieldPath, type FieldValues, get, useFormState, useWatch } from "react-hook-form";
import { DecimalField } from "@/components/ui/number-fields/decimal-field";
import type { ModelFamily } from "@/lib/contract/calls/model-families";
import {
  hasPriceField,
  type PriceField,
  type PriceFieldName,
  priceFields,
  type TokenPriceFieldName,
} from "./prices/price-fields";

/** Prices in one row are set together. */
const rows: readonly (readonly TokenPriceFieldName[])[] = [
  ["rate"],
  ["batch_rate"],
  ["input_per_1m", "output_per_1m"],
];

/** Those that few models have. */
const moreRows: readonly (readonly TokenPriceFieldName[])[] = [
  ["cached_input"],
  ["cache_write_5m", "cache_write_1h"],
  ["long_from"],
  ["long_input", "long_output"],
  ["long_cached_input"],
  ["long_cache_write_5m", "long_cache_write_1h"],
  ["audio_input", "audio_output"],
  ["priority_rate"],
];

const ROW = "grid items-start gap-5 sm:gap-4";
/** A dialog is too narrow for two prices and their units beside each other. */
const TWO_COLUMNS = "sm:grid-cols-2 in-[dialog]:grid-cols-1!";

type PriceFieldsProps<Values extends FieldValues> = {
  control: Control<Values>;
  family: ModelFamily;
  /** The form's name of each field. */
  names: Readonly<Record<TokenPriceFieldName, FieldPath<Values>>>;
  currency: string;
  disabled?: boolean;
};

/** The rates and list prices that determine the price of a call of a model that is priced by tokens. */
export function PriceFields<Values extends FieldValues>(props: PriceFieldsProps<Values>) {
  const { control, family, names } = props;
  const more = moreRows.flat().filter((name) => hasPriceField(family, name));
  const typed = useWatch({ control, name: more.map((name) => names[name]) }) as unknown[];
  const { errors } = useFormState({ control });
  const isUsed = typed.some(Boolean) || more.some((name) => get(errors, names[name]) !== undefined);
  return (
    <>
      <PriceRows {...props} rows={rows} />
      {more.length > 0 && <MorePrices isUsed={isUsed}>{<PriceRows {...props} rows={moreRows} />}</MorePrices>}
    </>
  );
}

/** Open once one of its prices is set or refused. */
function MorePrices({ isUsed, children }: { isUsed: boolean; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(isUsed);
  if (isUsed && !isOpen) setIsOpen(true);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open || isUsed)}>
      <summary className="w-fit cursor-pointer rounded-sm font-medium">More prices</summary>
      <p className="mt-1 text-sm text-muted">
        Of cached input, long prompts, audio and priority. What has none costs as much as input or output.
      </p>
      <div className="mt-4 grid gap-5">{children}</div>
    </details>
  );
}

type PriceRowsProps<Values extends FieldValues> = PriceFieldsProps<Values> & { rows: typeof rows };

function PriceRows<Values extends FieldValues>(props: PriceRowsProps<Values>) {
  const { family, names, currency, rows: shown, ...field } = props;
  return shown
    .map((row) => row.filter((name) => hasPriceField(family, name)))
    .filter((row) => row.length > 0)
    .map((row) => (
      <div key={row[0]} className={row.length > 1 ? `${ROW} ${TWO_COLUMNS}` : ROW}>
        {row.map((name) => (
          <PriceInput
            key={name}
            {...field}
            field={name}
            name={names[name]}
            unit={`${currency} / 1M tokens`}
          />
        ))}
      </div>
    ));
}

type UnitPriceFieldsProps<Values extends FieldValues> = {
  control: Control<Values>;
  names: Readonly<Record<"rate" | "amount", FieldPath<Values>>>;
  currency: string;
  /** The unit of the model's price: "image". */
  unit: string;
  disabled?: boolean;
  help?: ReactNode;
};

/** The rate and the list price of a model that is priced by the unit. */
export function UnitPriceFields<Values extends FieldValues>(props: UnitPriceFieldsProps<Values>) {
  const { names, currency, unit, help, ...field } = props;
  return (
    <>
      <PriceInput {...field} field="rate" name={names.rate} />
      <PriceInput {...field} field="amount" name={names.amount} unit={`${currency} / ${unit}`} help={help} />
    </>
  );
}

type PriceInputProps<Values extends FieldValues> = {
  control: Control<Values>;
  field: PriceFieldName;
  name: FieldPath<Values>;
  /** The unit of a price. */
  unit?: string;
  disabled?: boolean;
  help?: ReactNode;
};

function PriceInput<Values extends FieldValues>(props: PriceInputProps<Values>) {
  const { field, unit = "", disabled = false, help, ...input } = props;
  const { kind, ...texts }: PriceField = priceFields[field];
  return (
    <DecimalField
      {...input}
      {...texts}
      {...(help !== undefined && { help })}
      unit={kind === "rate" ? "× list price" : kind === "length" ? "tokens" : unit}
      {...(kind === "length" && { places: 0 })}
      disabled={disabled}
      optional={texts.placeholder !== undefined}
    />
  );
}
