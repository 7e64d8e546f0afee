"use client";

import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { DecimalField } from "@/components/form/decimal-field";

export const priceLabels = {
  rate: "Model rate",
  input: "Input list price",
  output: "Output list price",
};

type PriceFieldsProps<Values extends FieldValues> = {
  control: Control<Values>;
  /** Where the form keeps each of them. */
  names: Readonly<Record<keyof typeof priceLabels, FieldPath<Values>>>;
  currency: string;
  disabled?: boolean;
};

/** The three numbers that make the price of a call. */
export function PriceFields<Values extends FieldValues>(props: PriceFieldsProps<Values>) {
  const { control, names, currency, disabled = false } = props;
  const perMillion = `${currency} / 1M tokens`;
  return (
    <>
      <DecimalField
        control={control}
        name={names.rate}
        label={priceLabels.rate}
        apiName="rate"
        unit="× list price"
        disabled={disabled}
        help="Greater than 0. At 0.20, a payment of 10.00 is worth 50.00."
      />
      <div className="grid items-start gap-5 sm:grid-cols-2 sm:gap-4">
        <DecimalField
          control={control}
          name={names.input}
          label={priceLabels.input}
          apiName="input_per_1m"
          unit={perMillion}
          disabled={disabled}
        />
        <DecimalField
          control={control}
          name={names.output}
          label={priceLabels.output}
          apiName="output_per_1m"
          unit={perMillion}
          disabled={disabled}
        />
      </div>
    </>
  );
}
