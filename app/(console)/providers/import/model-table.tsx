"use client";

import { type ReactNode, useMemo, useState } from "react";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Checkbox } from "@/components/ui/fields/checkbox";
import { SearchBox } from "@/components/ui/search-box";
import { writeDate } from "@/components/ui/time/write-date";
import { countNouns, formatCount } from "@/components/ui/values/group-digits";
import type { ModelOffer } from "@/lib/contract/operations/models/provider-tests";
import { type Choice, type Choices, canImport, hasPrice, isPrice } from "./import-choices";
import { ModelRow } from "./model-row";

type ModelTableProps = {
  offer: ModelOffer;
  currency: string;
  choices: Choices;
  change: (model: string, change: Partial<Choice>) => void;
  /** Changes these models alike. */
  changeAll: (models: readonly string[], change: Partial<Choice>) => void;
  /** Whether the server runs on a machine of one's own, whose models have no list price. */
  isLocal: boolean;
  rate: string;
  setRate: (rate: string) => void;
  /** Whether models are shown that can't be called here. */
  showsUnusable: boolean;
};

/** More rows than this are found by the search. */
const MOST_ROWS = 400;
const ANY = "";

/** The provider's own list of models with what they cost, to be ticked and typed over. */
export function ModelTable(props: ModelTableProps) {
  const { offer, currency, choices, change, changeAll, isLocal, rate, setRate, showsUnusable } = props;
  const filter = useFilter();
  const { search, family, onlyUnpriced } = filter;
  const usable = useMemo(
    () => offer.data.filter(({ unusable }) => showsUnusable || unusable === null),
    [offer, showsUnusable],
  );
  const unpriced = usable.filter((model) => canImport(model) && !hasPrice(model));
  const fillable = unpriced
    .filter(({ model }) => choices.get(model)?.unit === null)
    .map(({ model }) => model);
  const found = usable.filter(
    (model) =>
      model.model.toLowerCase().includes(search.trim().toLowerCase()) &&
      (family === ANY || model.family === family) &&
      (!onlyUnpriced || unpriced.includes(model)),
  );
  const shown = found.slice(0, MOST_ROWS);
  const open = found.filter(
    (model) => canImport(model) && (hasPrice(model) || choices.get(model.model)?.isTicked),
  );
  const ticked = open.filter(({ model }) => choices.get(model)?.isTicked);
  return (
    <>
      <ListHead
        {...{ offer, currency, usable, unpriced, filter, rate, setRate }}
        fill={
          (onlyUnpriced || isLocal) &&
          fillable.length > 0 && (
            <FillPrices
              count={fillable.length}
              currency={currency}
              isLocal={isLocal}
              fill={(prices) => changeAll(fillable, { ...prices, isTicked: true })}
            />
          )
        }
      />
      <div
        className="@container min-h-0 flex-1 overflow-auto border-t bg-surface"
        tabIndex={0}
        role="region"
        aria-label="Models of the provider"
      >
        <Rows {...{ shown, choices, rate, change, open, changeAll }} ticked={ticked.length} />
        {found.length === 0 && <p className="px-6 py-8 text-center text-muted">No model fits.</p>}
        {found.length > shown.length && (
          <p className="px-6 py-3 text-sm text-muted">
            The first {formatCount(shown.length)} of {formatCount(found.length)}: search for the others.
          </p>
        )}
      </div>
    </>
  );
}

type RowsProps = Pick<ModelTableProps, "choices" | "rate" | "change" | "changeAll"> & {
  shown: ModelOffer["data"];
  /** Those that may be ticked, and how many of them are. */
  open: ModelOffer["data"];
  ticked: number;
};

function Rows({ shown, choices, rate, change, changeAll, open, ticked }: RowsProps) {
  return (
    <table
      role="table"
      className="w-full text-sm [&_td]:px-2 [&_td]:py-1 [&_th]:px-2 [&_th]:py-1 @max-lg:block"
    >
      <Head open={open.map(({ model }) => model)} ticked={ticked} changeAll={changeAll} />
      <tbody role="rowgroup" className="@max-lg:block">
        {shown.map((offered) => {
          const choice = choices.get(offered.model);
          return (
            choice && (
              <ModelRow key={offered.model} offered={offered} choice={choice} rate={rate} change={change} />
            )
          );
        })}
      </tbody>
    </table>
  );
}

type ListHeadProps = Pick<ModelTableProps, "offer" | "currency" | "rate" | "setRate"> & {
  usable: ModelOffer["data"];
  unpriced: ModelOffer["data"];
  filter: ReturnType<typeof useFilter>;
  fill: ReactNode;
};

function ListHead({ offer, currency, usable, unpriced, filter, rate, setRate, fill }: ListHeadProps) {
  return (
    <div className="grid gap-3 px-4 pt-5 pb-3 sm:px-6">
      <div>
        <h2 className="text-xl font-semibold tracking-tight">
          {formatCount(usable.filter(hasPrice).length)} of {formatCount(usable.length)} models have a known
          price
        </h2>
        <p className="text-muted">{describePrices(offer, currency)}</p>
      </div>
      <Toolbar {...filter} usable={usable} unpriced={unpriced.length} rate={rate} setRate={setRate} />
      {fill}
    </div>
  );
}

function useFilter() {
  const [search, setSearch] = useState("");
  const [family, setFamily] = useState(ANY);
  const [onlyUnpriced, setOnlyUnpriced] = useState(false);
  return { search, setSearch, family, setFamily, onlyUnpriced, setOnlyUnpriced };
}

type ToolbarProps = ReturnType<typeof useFilter> &
  Pick<ModelTableProps, "rate" | "setRate"> & { usable: ModelOffer["data"]; unpriced: number };

function Toolbar(props: ToolbarProps) {
  const { search, setSearch, family, setFamily, onlyUnpriced, setOnlyUnpriced } = props;
  const { usable, unpriced, rate, setRate } = props;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="w-44 max-sm:w-full">
        <SearchBox label="Find a model" text={search} setText={setSearch} />
      </div>
      <select
        aria-label="Family"
        value={family}
        onChange={({ target }) => setFamily(target.value)}
        className="field h-8 w-auto pointer-coarse:h-11"
      >
        <option value={ANY}>Any family</option>
        {[...new Set(usable.map((model) => model.family))].map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      {unpriced > 0 && (
        <button
          type="button"
          aria-pressed={onlyUnpriced}
          onClick={() => setOnlyUnpriced(!onlyUnpriced)}
          className="flex h-8 items-center gap-1.5 rounded-md border bg-surface px-2.5 text-sm hover:bg-default-soft aria-pressed:border-accent pointer-coarse:h-11"
        >
          Price missing
          <span className="rounded-full bg-warning-soft px-1.5 text-xs text-warning">
            {formatCount(unpriced)}
          </span>
        </button>
      )}
      <label className="ml-auto flex items-center gap-2 text-sm text-muted max-sm:ml-0">
        Model rate for all ticked
        <input
          inputMode="decimal"
          value={rate}
          onChange={({ target }) => setRate(target.value)}
          className="field h-8 w-20 text-right text-foreground tabular-nums pointer-coarse:h-11"
        />
      </label>
    </div>
  );
}

/** What a row tells of the family and the window stands below the model's name where there is no room for them. */
const columns = [
  { name: "Family", className: "text-left @max-3xl:hidden" },
  { name: "Context window", className: "text-right @max-3xl:hidden" },
  { name: "Input", className: "text-right pr-3.75!" },
  { name: "Cached input", className: "text-right pr-3.75!" },
  { name: "Output", className: "text-right pr-3.75!" },
  { name: "Model rate", className: "pr-6! text-right sm:pr-8!" },
] as const;

type HeadProps = Pick<ModelTableProps, "changeAll"> & { open: readonly string[]; ticked: number };

function Head({ open, ticked, changeAll }: HeadProps) {
  return (
    <thead
      role="rowgroup"
      className="sticky top-0 z-10 bg-surface text-xs text-muted @max-lg:block [&_th]:font-normal [&_th]:whitespace-nowrap"
    >
      <tr role="row" className="border-b @max-lg:flex @max-lg:items-center">
        <td role="cell" className="w-10 pl-4! sm:pl-6!">
          <Checkbox
            aria-label="Tick all that have a price"
            checked={open.length > 0 && ticked === open.length}
            indeterminate={ticked > 0 && ticked < open.length}
            onChange={({ target }) => changeAll(open, { isTicked: target.checked })}
          />
        </td>
        <th role="columnheader" scope="col" className="text-left">
          Model
        </th>
        {columns.map(({ name, className }) => (
          <th key={name} role="columnheader" scope="col" className={classNames("@max-lg:hidden", className)}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function describePrices(
  { catalogue_date, list_currency, exchange_rate, has_more }: ModelOffer,
  currency: string,
): string {
  const cut = has_more ? " The provider’s list goes on beyond these." : "";
  if (currency !== list_currency && exchange_rate === null)
    return `List prices are known in ${list_currency}: say what 1 ${list_currency} is in ${currency}.${cut}`;
  const converted = exchange_rate === null ? "" : `, at ${exchange_rate} for 1 ${list_currency}`;
  return `List prices in ${currency} per 1 million tokens${converted}, from the catalogue of ${writeDate(catalogue_date)}. Your contract may differ.${cut}`;
}

type FillPricesProps = {
  /** How many models have no known price. */
  count: number;
  currency: string;
  /** Whether they run on a machine of one's own, so that a token usually costs nothing. */
  isLocal: boolean;
  /** Ticks these models at these prices per 1 million tokens. */
  fill: (prices: { input: string; output: string }) => void;
};

/** One price for all models that have none: those of a server of one's own, or of a contract. */
function FillPrices({ count, currency, isLocal, fill }: FillPricesProps) {
  const [typed, setTyped] = useState(isLocal ? { input: "0.00", output: "0.00" } : { input: "", output: "" });
  const boxes = [
    ["input", "Input"],
    ["output", "Output"],
  ] as const;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border bg-surface px-3 py-2 text-sm">
      <p className="min-w-48 flex-1">
        <span className="font-medium">{countNouns(count, "model")} without a known price.</span>{" "}
        <span className="text-muted">
          {isLocal
            ? `On your own machine tokens are free, or cost what you say. ${currency} per 1M tokens.`
            : `One price for all, in ${currency} per 1M tokens.`}
        </span>
      </p>
      {boxes.map(([name, label]) => (
        <label key={name} className="flex items-center gap-1.5 text-muted">
          {label}
          <input
            aria-label={`${label} price of all without one`}
            inputMode="decimal"
            autoComplete="off"
            value={typed[name]}
            onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
            className="field h-8 w-18 text-right text-foreground tabular-nums pointer-coarse:h-11"
          />
        </label>
      ))}
      <Button
        size="small"
        disabled={!isPrice(typed.input) || !isPrice(typed.output)}
        onClick={() => fill({ input: typed.input.trim(), output: typed.output.trim() })}
      >
        Tick at this price
      </Button>
    </div>
  );
}
