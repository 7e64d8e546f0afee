"use client";

import type { ReactNode } from "react";
import type { Control, FieldPath, FieldValues } from "react-hook-form";
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
  ["audio_input", "audio_output"],
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
  const { family, names, currency, ...field } = props;
  return rows
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
      unit={kind === "rate" ? "× list price" : unit}
      disabled={disabled}
      optional={texts.placeholder !== undefined}
    />
  );
}
