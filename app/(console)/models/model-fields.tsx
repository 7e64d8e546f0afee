"use client";

import type { ReactNode } from "react";
import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { DecimalField } from "@/components/form/decimal-field";

export const priceLabels = {
  rate: "Model rate",
  batchRate: "Batch rate",
  input: "Input list price",
  output: "Output list price",
  audioInput: "Audio input price",
  audioOutput: "Audio output price",
  amount: "List price",
};

/** Without output for models that write text alone. */
type AudioNames<Values extends FieldValues> = {
  readonly input: FieldPath<Values>;
  readonly output?: FieldPath<Values>;
};

type PriceFieldsProps<Values extends FieldValues> = {
  control: Control<Values>;
  /** The form's field names. */
  names: Readonly<Record<"rate" | "input" | "output", FieldPath<Values>>> & {
    /** Absent for models that no batch takes. */
    readonly batchRate?: FieldPath<Values>;
    /** Absent for models that neither hear nor speak. */
    readonly audio?: AudioNames<Values>;
  };
  currency: string;
  disabled?: boolean;
  /** Set for models that write no tokens. */
  inputOnly?: boolean;
};

const PAIR = "grid items-start gap-5 sm:gap-4";
/** A dialog is too narrow for two prices and their units beside each other. */
const TWO_COLUMNS = "sm:grid-cols-2 in-[dialog]:grid-cols-1!";

/** The rate and the list prices that determine the price of a call. */
export function PriceFields<Values extends FieldValues>(props: PriceFieldsProps<Values>) {
  const { control, names, currency, disabled = false, inputOnly = false } = props;
  const perMillion = `${currency} / 1M tokens`;
  return (
    <>
      <RateField control={control} name={names.rate} disabled={disabled} />
      {names.batchRate && (
        <DecimalField
          control={control}
          name={names.batchRate}
          label={priceLabels.batchRate}
          apiName="batch_rate"
          unit="× list price"
          placeholder="Same as the model rate"
          disabled={disabled}
          optional
          help="The model rate of batch lines, such as half of it. Left empty, they cost as much as live calls."
        />
      )}
      <div className={inputOnly ? PAIR : `${PAIR} ${TWO_COLUMNS}`}>
        <DecimalField
          control={control}
          name={names.input}
          label={priceLabels.input}
          apiName="input_per_1m"
          unit={perMillion}
          disabled={disabled}
        />
        {!inputOnly && (
          <DecimalField
            control={control}
            name={names.output}
            label={priceLabels.output}
            apiName="output_per_1m"
            unit={perMillion}
            disabled={disabled}
          />
        )}
      </div>
      {names.audio && <AudioFields {...{ control, disabled }} names={names.audio} unit={perMillion} />}
    </>
  );
}

type AudioFieldsProps<Values extends FieldValues> = {
  control: Control<Values>;
  names: AudioNames<Values>;
  unit: string;
  disabled: boolean;
};

/** The list prices of tokens of audio, of models that hear or speak. */
function AudioFields<Values extends FieldValues>({ names, ...fields }: AudioFieldsProps<Values>) {
  return (
    <div className={`${PAIR} ${TWO_COLUMNS}`}>
      <DecimalField
        {...fields}
        name={names.input}
        label={priceLabels.audioInput}
        apiName="audio_price.input_per_1m"
        placeholder="Same as input"
        optional
        help="Of the tokens that the provider reports as audio."
      />
      {names.output && (
        <DecimalField
          {...fields}
          name={names.output}
          label={priceLabels.audioOutput}
          apiName="audio_price.output_per_1m"
          placeholder="Same as output"
          optional
          help="A call’s hold uses the higher of the text and audio prices."
        />
      )}
    </div>
  );
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
  const { control, names, currency, unit, disabled = false, help } = props;
  return (
    <>
      <RateField control={control} name={names.rate} disabled={disabled} />
      <DecimalField
        control={control}
        name={names.amount}
        label={priceLabels.amount}
        apiName="unit_price.amount"
        unit={`${currency} / ${unit}`}
        disabled={disabled}
        help={help}
      />
    </>
  );
}

type RateFieldProps<Values extends FieldValues> = {
  control: Control<Values>;
  name: FieldPath<Values>;
  disabled: boolean;
};

function RateField<Values extends FieldValues>(field: RateFieldProps<Values>) {
  return (
    <DecimalField
      {...field}
      label={priceLabels.rate}
      apiName="rate"
      unit="× list price"
      help="Greater than 0. At 0.20, a payment of 10.00 is worth 50.00."
    />
  );
}
