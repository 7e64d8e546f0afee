"use client";

import { useId, useState } from "react";
import { readTokenPrices } from "@/components/models/read-prices";
import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { ChoiceSelect } from "@/components/ui/fields/choice-select";
import { TextLink } from "@/components/ui/links/text-link";
import { Section } from "@/components/ui/section";
import type { Column } from "@/components/ui/table/column";
import { SortedTable } from "@/components/ui/table/sorted-table";
import { monthName } from "@/components/ui/time/month-name";
import { formatCount } from "@/components/ui/values/group-digits";
import { RoundedMoney } from "@/components/ui/values/rounded-money";
import { formatShortAmount } from "@/components/ui/values/write-figures";
import { startOfMonth } from "@/components/usage/start-of-month";
import { paths } from "@/lib/console/paths";
import type { ReadParameters } from "@/lib/console/reads/reads";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { UsageFigures } from "@/lib/contract/operations/usage/usage-summary";
import { formatAmount, type Nano, parseAmount, parseCheckedAmount, toNano, ZERO } from "@/lib/money/amount";
import { computeCharge, type PriceSnapshot } from "@/lib/money/charge";

type TrafficElsewhereProps = {
  /** The model whose page it is; null where one is chosen. */
  modelId: string | null;
  /** When the page was rendered, in Unix seconds. */
  openedAt: number;
};

/** Last month's calls of a model at the prices of every other one, and at typed ones. Nothing without such calls. */
export function TrafficElsewhere({ modelId, openedAt }: TrafficElsewhereProps) {
  const models = useRead(...wholeList("listOrganizationModels")).data?.data ?? [];
  const summary = useRead(...trafficRead(openedAt, modelId), { isCostly: true }).data;
  const [chosen, setChosen] = useState<string | null>(null);
  const byTokens = (summary?.groups ?? []).filter(
    ({ id, totals }) => totals.prompt_tokens > 0 && models.some((model) => model.id === id && model.price),
  );
  const group =
    byTokens.find(({ id }) => id === (modelId ?? chosen)) ?? (modelId === null ? byTokens[0] : undefined);
  const own = models.find(({ id }) => id === group?.id);
  if (!summary || !group || !own) return null;
  const month = monthName(new Date(startOfMonth(openedAt, -1) * 1000).toISOString().slice(0, 7));
  return (
    <Section
      title="The same calls elsewhere"
      description={`What the calls to ${own.id} in ${month} would have cost at the prices of other models.`}
      actions={
        modelId === null ? (
          <ModelChoice models={byTokens.map(({ id }) => id ?? "")} value={own.id} change={setChosen} />
        ) : (
          <TextLink href={paths.calculator()}>Open the calculator</TextLink>
        )
      }
    >
      <Elsewhere
        key={own.id}
        own={own}
        traffic={readTraffic(group.totals)}
        models={models}
        currency={summary.currency}
      />
    </Section>
  );
}

type ElsewhereProps = {
  own: OrganizationModel;
  traffic: Traffic;
  models: readonly OrganizationModel[];
  currency: string;
};

function Elsewhere({ own, traffic, models, currency }: ElsewhereProps) {
  const rows = listElsewhere(own, traffic, models);
  const [cheapest] = rows;
  return (
    <div className="grid gap-4">
      <p className="max-w-prose">
        {cheapest ? (
          <>
            The same on {cheapest.model}:{" "}
            <strong className="font-medium">{write(cheapest.cost, currency)}</strong> instead of{" "}
            {write(traffic.charged, currency)}.
          </>
        ) : (
          `It was charged ${write(traffic.charged, currency)}, and no other model of its kind has a price.`
        )}{" "}
        <span className="text-muted">
          {formatCount(traffic.requests)} calls: {formatCount(traffic.freshTokens)} tokens in,{" "}
          {traffic.cachedTokens > 0 && <>{formatCount(traffic.cachedTokens)} from a cache, </>}
          {formatCount(traffic.outputTokens)} out.
        </span>
      </p>
      {rows.length > 0 && (
        <SortedTable
          caption={`The calls of ${own.id} at the prices of other models`}
          columns={elsewhereColumns(currency)}
          rows={rows}
          rowId={({ model }) => model}
          first={{ count: 5, noun: "models" }}
          initialSort={{ column: "cost", descending: false }}
        />
      )}
      <AtTypedPrices own={own} traffic={traffic} currency={currency} />
    </div>
  );
}

const write = (amount: Nano, currency: string) => `${formatShortAmount(amount)} ${currency}`;

function elsewhereColumns(currency: string): Column<ElsewhereRow>[] {
  return [
    {
      id: "model",
      header: "Model",
      phone: "title",
      sortValue: ({ model }) => model,
      cell: ({ model }) => <TextLink href={paths.model(model)}>{model}</TextLink>,
    },
    {
      id: "cost",
      header: "Would cost",
      unit: currency,
      numeric: true,
      sortValue: ({ cost }) => Number(cost),
      cell: ({ cost }) => <RoundedMoney isRounded amount={cost} />,
    },
    {
      id: "difference",
      header: "Difference",
      numeric: true,
      sortValue: ({ difference }) => Number(difference),
      cell: ({ difference }) => <Difference amount={difference} />,
    },
  ];
}

function Difference({ amount }: { amount: Nano }) {
  const isLess = amount < 0n;
  return (
    <span className={isLess ? "text-success" : "text-muted"}>
      <RoundedMoney isRounded amount={toNano(isLess ? -amount : amount)} /> {isLess ? "less" : "more"}
    </span>
  );
}

function AtTypedPrices({ own, traffic, currency }: Omit<ElsewhereProps, "models">) {
  const [typed, setTyped] = useState<TypedPrices>({
    rate: own.rate,
    input: own.price?.input_per_1m ?? "",
    cached: own.price?.cached_input_per_1m ?? "",
    output: own.price?.output_per_1m ?? "",
  });
  const prices = parseTypedPrices(typed);
  const cost = prices && priceTraffic(traffic, prices);
  const boxes = [
    ["rate", "Model rate"],
    ["input", "Input"],
    ["cached", "Cached input"],
    ["output", "Output"],
  ] as const;
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-medium">At another rate, or at another provider’s prices</legend>
      <div className="grid max-w-3xl grid-cols-2 gap-3 sm:grid-cols-4">
        {boxes.map(([name, label]) => (
          <PriceBox
            key={name}
            label={label}
            unit={name === "rate" ? undefined : `${currency} / 1M tokens`}
            value={typed[name]}
            change={(text) => setTyped({ ...typed, [name]: text })}
          />
        ))}
      </div>
      <p role="status" className="text-sm">
        {cost === null ? (
          <span className="text-danger">Enter prices such as 0.25, and a rate above 0.</span>
        ) : (
          <>
            At these prices: <data value={formatAmount(cost)}>{write(cost, currency)}</data> instead of{" "}
            {write(traffic.charged, currency)}.
          </>
        )}
      </p>
    </fieldset>
  );
}

type PriceBoxProps = {
  label: string;
  unit: string | undefined;
  value: string;
  change: (text: string) => void;
};

function PriceBox({ label, unit, value, change }: PriceBoxProps) {
  const id = useId();
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <input
        id={id}
        className="field h-9 w-full"
        inputMode="decimal"
        autoComplete="off"
        value={value}
        onChange={(event) => change(event.target.value)}
      />
      {unit && <span className="text-xs text-muted">{unit}</span>}
    </div>
  );
}

function ModelChoice({
  models,
  value,
  change,
}: {
  models: readonly string[];
  value: string;
  change: (id: string) => void;
}) {
  return (
    <div className="flex items-center gap-2 text-sm">
      Calls of
      <ChoiceSelect
        label="Calls of"
        value={value}
        options={models.map((id) => ({ value: id, label: id }))}
        choose={change}
        className="h-9 w-auto"
      />
    </div>
  );
}

/** Returns the read of last month's (UTC) calls by model, or of one model's. `now` in Unix seconds. */
function trafficRead(now: number, model: string | null): readonly ["retrieveUsageSummary", ReadParameters] {
  const month = { start_time: String(startOfMonth(now, -1)), end_time: String(startOfMonth(now)) };
  const sums = { bucket_width: "range", group_by: "model", latencies: "none", previous: "false" };
  return ["retrieveUsageSummary", { ...month, ...sums, ...(model !== null && { model }) }];
}

/** What calls were made of, in the classes that have prices of their own. */
interface Traffic {
  /** Tokens of the prompts, without those that were read from a cache. */
  readonly freshTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  readonly audio: { readonly promptTokens: number; readonly completionTokens: number };
  readonly requests: number;
  readonly charged: Nano;
}

export function readTraffic(figures: UsageFigures): Traffic {
  return {
    freshTokens: figures.prompt_tokens - figures.cached_tokens,
    cachedTokens: figures.cached_tokens,
    outputTokens: figures.completion_tokens,
    audio: { promptTokens: figures.input_audio_tokens, completionTokens: figures.output_audio_tokens },
    requests: figures.requests,
    charged: parseCheckedAmount(figures.amount),
  };
}

/**
 * Prices the sums of calls at another rate and other prices, each class at its own. A price of long prompts is left
 * out: sums don't say how long each prompt was. The ledger rounds each call, so results are shown with ≈.
 */
export function priceTraffic(traffic: Traffic, { classes, ...price }: PriceSnapshot): Nano {
  const { freshTokens, cachedTokens, outputTokens, audio } = traffic;
  const cachedInputPer1m = classes?.cachedInputPer1m;
  return computeCharge(
    { promptTokens: freshTokens + cachedTokens, completionTokens: outputTokens, cachedTokens, audio },
    { ...price, ...(cachedInputPer1m !== undefined && { classes: { cachedInputPer1m } }) },
  );
}

interface ElsewhereRow {
  readonly model: string;
  readonly cost: Nano;
  /** Below zero where it is cheaper than what was charged. */
  readonly difference: Nano;
}

/** The same calls at the prices of each other model of the family, cheapest first. */
export function listElsewhere(
  own: Pick<OrganizationModel, "id" | "family">,
  traffic: Traffic,
  models: readonly OrganizationModel[],
): ElsewhereRow[] {
  return models
    .filter(({ id, family }) => id !== own.id && family === own.family)
    .flatMap((model) => {
      const prices = readTokenPrices(model);
      if (!prices) return [];
      const cost = priceTraffic(traffic, prices);
      return [{ model: model.id, cost, difference: toNano(cost - traffic.charged) }];
    })
    .toSorted((one, other) => (one.cost < other.cost ? -1 : one.cost > other.cost ? 1 : 0));
}

/** The prices of a form: of a provider that isn't connected, or at another rate. Empty cached input costs as input. */
interface TypedPrices {
  readonly rate: string;
  readonly input: string;
  readonly cached: string;
  readonly output: string;
}

/** Null if one of them is no price. */
export function parseTypedPrices({ rate, input, cached, output }: TypedPrices): PriceSnapshot | null {
  const read = (text: string) => parseAmount(text.replaceAll(",", "").trim());
  const [rateValue, inputPer1m, outputPer1m] = [read(rate), read(input), read(output)];
  const cachedInputPer1m = cached.trim() === "" ? undefined : read(cached);
  if (rateValue === null || inputPer1m === null || outputPer1m === null || cachedInputPer1m === null)
    return null;
  if (rateValue <= 0n || [inputPer1m, outputPer1m, cachedInputPer1m ?? ZERO].some((one) => one < 0n))
    return null;
  const classes = cachedInputPer1m === undefined ? {} : { classes: { cachedInputPer1m } };
  return { rate: rateValue, inputPer1m, outputPer1m, ...classes };
}
