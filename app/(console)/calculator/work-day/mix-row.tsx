import { X } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { CountBox } from "@/app/(console)/calculator/worth-card";
import { ChoiceSelect } from "@/components/ui/fields/choice-select";
import { IconButton } from "@/components/ui/icon-button";
import { groupDigits } from "@/components/ui/values/group-digits";
import { RoundedMoney } from "@/components/ui/values/rounded-money";
import { formatAmount } from "@/lib/money/amount";
import type { PriceSnapshot } from "@/lib/money/charge";
import { parseTypedCount } from "../calculate";
import type { PriceSheet, SheetPrice } from "../price-sheet";
import {
  type AmountName,
  computeLineCost,
  listAmountNames,
  type MixLine,
  OTHER_MODELS,
  parseLineAmount,
  parseShare,
} from "./work-mix";

// The columns of a line. On paper there is no button at its end, and the model's name is not cut off.
export const MIX_COLUMNS =
  "md:grid-cols-[minmax(8rem,1fr)_5.75rem_5.75rem_5.75rem_5.75rem_6.5rem_2rem] print:grid-cols-[minmax(10rem,1fr)_4.5rem_4.5rem_4.5rem_4.5rem_5rem]";

const unitLabels: Readonly<Record<string, string>> = {
  image: "Images a call",
  megapixel: "Megapixels a call",
  second: "Seconds a call",
  minute: "Minutes a call",
  character: "Characters a call",
};

const tokenLabels = {
  input: "Tokens in",
  cached: "Cached in",
  written: "Cache write in",
  output: "Tokens out",
  audioInput: "Audio tokens in",
  audioOutput: "Audio tokens out",
};

/** A line below the row, with its label at the left of its one box. */
const EXTRA_LINE = "col-span-2 grid grid-cols-[minmax(0,1fr)_5.75rem] items-start gap-2 md:col-span-5";
const EXTRA_LABEL = "text-sm text-muted md:text-right md:leading-9 md:pointer-coarse:leading-11";

type ExtraName = "written" | "audioInput" | "audioOutput";
const isExtra = (name: AmountName): name is ExtraName =>
  name === "written" || name === "audioInput" || name === "audioOutput";

type MixRowProps = {
  line: MixLine;
  sheet: PriceSheet;
  linked: PriceSheet | null;
  save: (part: Partial<MixLine>) => void;
  remove: () => void;
};

/** A line of the mix with the amounts that its model is priced by, and its cost per day. */
export function MixRow({ line, sheet, linked, save, remove }: MixRowProps) {
  const price = sheet.get(line.model);
  const models = useMemo(() => [...sheet.keys()].map((id) => ({ value: id, label: id })), [sheet]);
  return (
    <div
      role="group"
      aria-label={line.model}
      className={`grid grid-cols-2 items-start gap-2 max-md:border-b max-md:pb-3 max-md:last-of-type:border-b-0 ${MIX_COLUMNS}`}
    >
      <span className="hidden self-center font-mono text-sm wrap-anywhere print:inline">{line.model}</span>
      <ChoiceSelect
        label="Model of this line"
        value={line.model}
        options={
          price
            ? models
            : [{ value: line.model, label: `${line.model || "Choose a model"} (no price)` }, ...models]
        }
        choose={(model) => save({ model })}
        className="h-9 font-mono text-sm max-md:col-span-2 print:hidden"
      />
      <Labeled label="Calls a day">
        <CountBox
          label={`Calls a day, ${line.model}`}
          value={line.calls}
          fault={parseTypedCount(line.calls).fault}
          onChange={(calls) => save({ calls })}
        />
      </Labeled>
      {listAmountNames(price)
        .filter((name) => !isExtra(name))
        .map((name) => (
          <AmountBox key={name} {...{ name, line, price, save }} />
        ))}
      <LineCost line={line} sheet={sheet} linked={linked} />
      <span className="grid min-h-9 items-center justify-self-end print:hidden pointer-coarse:min-h-11">
        <IconButton label={`Remove ${line.model}`} icon={<X aria-hidden />} onClick={remove} />
      </span>
      {price && <ExtraTokens {...{ line, save, price }} />}
      {price?.batchRate !== undefined && <BatchShare {...{ line, save }} batchRate={price.batchRate} />}
    </div>
  );
}

/** The line of all models without one of their own: their charges. */
export function OtherModelsRow({ line, remove }: Pick<MixRowProps, "line" | "remove">) {
  return (
    <div
      role="group"
      aria-label={OTHER_MODELS}
      className={`grid grid-cols-2 items-center gap-2 max-md:border-b max-md:pb-3 max-md:last-of-type:border-b-0 ${MIX_COLUMNS}`}
    >
      <span className="max-md:col-span-2">{OTHER_MODELS}</span>
      <Labeled label="Calls a day">
        <span className="text-right tabular-nums max-md:text-left">{line.calls}</span>
      </Labeled>
      <span className="text-sm text-muted max-md:col-span-2 md:col-span-3 md:text-right">
        as charged in the last 7 days
      </span>
      <LineCost line={line} sheet={new Map()} linked={null} />
      <span className="grid min-h-9 items-center justify-self-end print:hidden pointer-coarse:min-h-11">
        <IconButton
          label={`Remove ${OTHER_MODELS.toLowerCase()}`}
          icon={<X aria-hidden />}
          onClick={remove}
        />
      </span>
    </div>
  );
}

type ExtraTokensProps = Pick<MixRowProps, "line" | "save"> & { price: SheetPrice };

/** The tokens of audio and those that are written to a cache, for a model with prices of its own for them. */
function ExtraTokens({ line, save, price }: ExtraTokensProps) {
  const { audio, classes } = price;
  const prices = {
    written: classes?.cacheWrite5mPer1m ?? price.inputPer1m,
    audioInput: audio?.inputPer1m ?? price.inputPer1m,
    audioOutput: audio?.outputPer1m ?? price.outputPer1m,
  };
  return listAmountNames(price)
    .filter(isExtra)
    .map((name) => (
      <span key={name} className={EXTRA_LINE}>
        <span aria-hidden className={EXTRA_LABEL}>
          {formatLabel(name, price)} at{" "}
          <span className="whitespace-nowrap">{groupDigits(formatAmount(prices[name]))}</span> per 1,000,000
        </span>
        <AmountInput {...{ name, line, price, save }} />
      </span>
    ));
}

type BatchShareProps = Pick<MixRowProps, "line" | "save"> & {
  batchRate: NonNullable<SheetPrice["batchRate"]>;
};

/** The part of a line's calls that are sent in batches, for a model with a rate of its own for them. */
function BatchShare({ line, save, batchRate }: BatchShareProps) {
  return (
    <span className={EXTRA_LINE}>
      <span aria-hidden className={EXTRA_LABEL}>
        % of the calls in batches, at the rate{" "}
        <span className="whitespace-nowrap">{groupDigits(formatAmount(batchRate))}</span>
      </span>
      <CountBox
        label={`Percent in batches, ${line.model}`}
        value={line.batched}
        fault={parseShare(line.batched).fault}
        onChange={(batched) => save({ batched })}
      />
    </span>
  );
}

type AmountBoxProps = Pick<MixRowProps, "line" | "save"> & {
  name: AmountName;
  price: PriceSnapshot | undefined;
};

function AmountInput({ name, line, price, save }: AmountBoxProps) {
  return (
    <CountBox
      label={`${formatLabel(name, price)}, ${line.model}`}
      value={line[name]}
      fault={parseLineAmount(line, name, price).fault}
      onChange={(text) => save({ [name]: text })}
    />
  );
}

function AmountBox(props: AmountBoxProps) {
  const { name, price } = props;
  const label = formatLabel(name, price);
  const box = <AmountInput {...props} />;
  if (name !== "units") return <Labeled label={label}>{box}</Labeled>;
  const amount = price?.perUnit && groupDigits(formatAmount(price.perUnit.amount));
  return (
    <span className="grid items-start gap-x-2 gap-y-1 md:col-span-3 md:grid-cols-[minmax(0,1fr)_5.75rem]">
      <span aria-hidden className={EXTRA_LABEL}>
        {label} <span className="whitespace-nowrap">× {amount}</span>
      </span>
      {box}
    </span>
  );
}

/** Shows the label on a phone. On wider screens the heads of the columns name the boxes. */
function Labeled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span className="grid gap-1">
      <span aria-hidden className="text-sm text-muted md:hidden">
        {label}
      </span>
      {children}
    </span>
  );
}

function LineCost({ line, sheet, linked }: Pick<MixRowProps, "line" | "sheet" | "linked">) {
  const cost = computeLineCost(line, sheet);
  const before = linked && computeLineCost(line, linked);
  return (
    <span className="grid min-h-9 content-center font-medium md:justify-items-end md:text-right pointer-coarse:min-h-11">
      {cost === null ? <span className="font-normal text-muted">–</span> : <RoundedMoney amount={cost} />}
      {before !== null && before !== cost && (
        <span className="text-sm font-normal text-muted">
          was <RoundedMoney amount={before} />
        </span>
      )}
    </span>
  );
}

function formatLabel(name: AmountName, price: PriceSnapshot | undefined): string {
  if (name === "units") return unitLabels[price?.perUnit?.unit ?? ""] ?? "Units a call";
  return tokenLabels[name];
}
