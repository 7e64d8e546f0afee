import { findFirstCallable } from "@/components/models/list-models";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { formatAmount, type Nano, ZERO } from "@/lib/money/amount";
import type { PriceSnapshot, TokenUsage } from "@/lib/money/charge";
import {
  parseTypedAmount,
  parseTypedCount,
  parseTypedRate,
  parseTypedUnits,
  type Question,
  type TypedValue,
} from "./calculate";
import {
  buildPriceSheet,
  changedSince,
  type PriceSheet,
  parseSheet,
  withPrice,
  writeSheet,
} from "./price-sheet";
import type { Asked } from "./use-calculator-address";
import { buildWeekMix, type Week } from "./work-day/week-mix";
import { type MixLine, parseMix, usualLine, writeMix } from "./work-day/work-mix";

type Known = {
  readonly models: readonly OrganizationModel[];
  readonly currency: string | undefined;
  /** Undefined until it is read, or if the person can't see it. */
  readonly week: Week | undefined;
};

/** A text box: its text (a default until something is typed), and the parsed value. */
type Box<Value> = TypedValue<Value> & { readonly text: string; readonly isTyped: boolean };

/** The state of the calculator, from the address and the current rates, prices and usage. */
export interface Calculation {
  /** Undefined if the rate was typed. */
  readonly model: OrganizationModel | undefined;
  readonly payment: Box<Nano>;
  readonly worth: Box<Nano>;
  readonly rate: Box<Nano>;
  readonly inputPrice: Box<Nano>;
  readonly outputPrice: Box<Nano>;
  /** The list price of one unit, for a model that is priced by the unit. */
  readonly unitPrice: Box<Nano>;
  readonly callInput: Box<number>;
  readonly callOutput: Box<number>;
  /** Millionths of a unit, for models that are priced by the unit. */
  readonly callUnits: Box<number>;
  /** Null if an amount or the rate is missing or invalid. */
  readonly question: Question | null;
  readonly call: TokenUsage;
  /** Current rates and prices. For the chosen model, the typed ones. */
  readonly sheet: PriceSheet;
  /** True if a typed rate or price differs from the current one. */
  readonly isWhatIf: boolean;
  /** The rates and prices when a permanent link was made, including typed ones. */
  readonly linked: { readonly at: number; readonly sheet: PriceSheet; readonly changed: string[] } | null;
  readonly mix: readonly MixLine[];
  readonly weekMix: readonly MixLine[];
  /** True if the mix is the average day of the week. */
  readonly isFromWeek: boolean;
}

const usual = { payment: "10.00", rate: "0.2" };

export function calculate(asked: Asked, { models, currency, week }: Known): Calculation {
  const today = buildPriceSheet(models);
  const model = chosenModel(asked, models);
  const real = model && today.get(model.id);
  const written = (amount: Nano | undefined) => (amount === undefined ? "" : formatAmount(amount));

  const rate = box(asked.rate, real ? written(real.rate) : usual.rate, parseTypedRate);
  const inputPrice = box(asked.price_in, written(real?.inputPer1m), parseTypedAmount);
  const outputPrice = box(asked.price_out, written(real?.outputPer1m), parseTypedAmount);
  const unitPrice = box(asked.price_unit, written(real?.perUnit?.amount), parseTypedAmount);
  const prices = real?.perUnit ? [unitPrice] : [inputPrice, outputPrice];
  const tried = buildPrice(
    rate.value,
    prices.map(({ value }) => value),
    real?.perUnit?.unit,
  );
  const isWhatIf = real !== undefined && [rate, ...prices].some(({ isTyped }) => isTyped);
  const sheet = model ? withPrice(today, model.id, isWhatIf ? tried : null) : today;

  const payment = box(asked.payment, asked.worth === null ? usual.payment : "", (text) =>
    parseTypedAmount(text, currency),
  );
  const worth = box(asked.worth, "", (text) => parseTypedAmount(text, currency));
  const callInput = box(asked.in, usualLine.input, parseTypedCount);
  const callOutput = box(asked.out, usualLine.output, parseTypedCount);
  const callUnits = box(asked.units, usualLine.units, (text) => parseTypedUnits(text, "image"));
  const weekMix = week ? buildWeekMix(week, today) : [];
  return {
    model,
    payment,
    worth,
    rate,
    inputPrice,
    outputPrice,
    unitPrice,
    callInput,
    callOutput,
    callUnits,
    question: readQuestion(payment, worth),
    call: {
      promptTokens: callInput.value ?? 0,
      completionTokens: callOutput.value ?? 0,
      units: callUnits.value ?? 0,
    },
    sheet,
    isWhatIf,
    linked: readLinkedPrices(asked, today, model && isWhatIf ? { id: model.id, tried } : null),
    mix: asked.mix === null ? defaultMix(weekMix, model) : parseMix(asked.mix),
    weekMix,
    isFromWeek: asked.mix === null && weekMix.length > 0,
  };
}

/** Returns a permanent address of this calculation, which includes rates and prices. `now` in Unix seconds. */
export function permanentAddress(asked: Asked, shown: Calculation, now: number, today: PriceSheet): Asked {
  const { payment, worth, model, callInput, callOutput, callUnits, mix } = shown;
  const needed = [...(model ? [model.id] : []), ...mix.map((line) => line.model)];
  return {
    ...asked,
    ...(asked.worth === null ? { payment: payment.text } : { worth: worth.text }),
    model: model?.id ?? "",
    in: callInput.text,
    out: callOutput.text,
    units: callUnits.text,
    mix: writeMix(mix),
    ...(shown.linked === null && { at: String(now), prices: writeSheet(today, needed) }),
  };
}

function chosenModel(asked: Asked, models: readonly OrganizationModel[]): OrganizationModel | undefined {
  if (asked.model !== null)
    return models.find(({ id, price, unit_price }) => id === asked.model && (price ?? unit_price) !== null);
  return asked.rate === null ? findFirstCallable(models) : undefined;
}

function box<Value>(
  typed: string | null,
  fallback: string,
  parse: (text: string) => TypedValue<Value>,
): Box<Value> {
  const text = typed ?? fallback;
  return { ...parse(text), text, isTyped: typed !== null && typed !== fallback };
}

/** @param unit the unit of the one price, or undefined for the prices of input and output. */
function buildPrice(
  rate: Nano | null,
  [first = null, second = null]: readonly (Nano | null)[],
  unit: string | undefined,
): PriceSnapshot | null {
  if (rate === null || first === null) return null;
  if (unit !== undefined)
    return { rate, inputPer1m: ZERO, outputPer1m: ZERO, perUnit: { unit, amount: first } };
  return second === null ? null : { rate, inputPer1m: first, outputPer1m: second };
}

/** A typed worth takes precedence. Typing a payment clears it. */
function readQuestion(payment: Box<Nano>, worth: Box<Nano>): Question | null {
  if (worth.value !== null) return { worth: worth.value };
  if (payment.value !== null) return { payment: payment.value };
  return null;
}

function readLinkedPrices(
  { at, prices }: Asked,
  today: PriceSheet,
  whatIf: { id: string; tried: PriceSnapshot | null } | null,
): Calculation["linked"] {
  const seconds = Number(at);
  if (!prices || !Number.isSafeInteger(seconds) || seconds <= 0 || seconds > 8e9) return null;
  const sheet = parseSheet(prices);
  if (sheet.size === 0) return null;
  const changed = changedSince(sheet, today);
  return { at: seconds, sheet: whatIf ? withPrice(sheet, whatIf.id, whatIf.tried) : sheet, changed };
}

function defaultMix(ofWeek: readonly MixLine[], model: OrganizationModel | undefined): readonly MixLine[] {
  if (ofWeek.length > 0 || !model) return ofWeek;
  return [{ ...usualLine, model: model.id }];
}
