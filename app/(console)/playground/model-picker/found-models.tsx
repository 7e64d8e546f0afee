"use client";

import { Check } from "lucide-react";
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { contained } from "@/components/ui/browser/contained";
import { floatBeside } from "@/components/ui/browser/place-beside";
import { classNames } from "@/components/ui/class-names";
import { formatCount, formatDecimal, trimDecimal } from "@/components/ui/values/group-digits";
import { writesTokens } from "@/lib/contract/calls/model-families";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { ModelGroup } from "./list-models";

type FoundModelsProps = {
  /** The list's id is `<id>-list`, and that of an option `<id>-<index>`. */
  id: string;
  input: RefObject<HTMLInputElement | null>;
  groups: readonly ModelGroup[];
  /** How many more models there are. */
  left: number;
  /** The model that is chosen now. */
  value: string;
  search: string;
  active: number;
  point: (optionIndex: number) => void;
  choose: (model: OrganizationModel) => void;
};

/** The models that a picker found, with their prices. The focus stays in the picker's field. */
export function FoundModels(props: FoundModelsProps) {
  const { id, input, groups, left, value, search, active, point, choose } = props;
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (input.current && box.current) return floatBeside(input.current, box.current, "bottom", "start");
  }, [input]);
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [id, active]);
  const starts = groups.map((_, at) =>
    groups.slice(0, at).reduce((sum, { models }) => sum + models.length, 0),
  );
  const count = groups.reduce((sum, { models }) => sum + models.length, 0);
  return (
    <div
      ref={box}
      popover="manual"
      {...contained}
      // A press on an option must not take the focus from the field, which would close the list.
      onMouseDown={(event) => event.preventDefault()}
      className="fixed inset-auto m-0 w-[min(30rem,calc(100vw-1rem))] overflow-hidden rounded-md border bg-overlay p-0 text-base text-overlay-foreground shadow-overlay"
    >
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Models"
        className="max-h-[min(26rem,60dvh)] scroll-pt-8 overflow-y-auto px-1 pb-1 empty:hidden"
      >
        {groups.map((group, at) => (
          <div key={group.label} role="group" aria-labelledby={`${id}-group-${at}`}>
            <div
              id={`${id}-group-${at}`}
              className="sticky top-0 z-1 bg-overlay px-2 pt-2 pb-1 text-xs font-medium text-muted"
            >
              {group.label}
            </div>
            {group.models.map((model, index) => {
              const optionIndex = (starts[at] ?? 0) + index;
              return (
                <ModelOption
                  key={model.id}
                  id={`${id}-${optionIndex}`}
                  model={model}
                  isChosen={model.id === value}
                  isActive={optionIndex === active}
                  point={() => point(optionIndex)}
                  choose={() => choose(model)}
                />
              );
            })}
          </div>
        ))}
      </div>
      <p
        role="status"
        className={count > 0 && left === 0 ? "sr-only" : "px-3 py-2 text-sm text-muted not-first:border-t"}
      >
        {describeCount(count, left, search)}
      </p>
    </div>
  );
}

function describeCount(count: number, left: number, search: string): string {
  if (count === 0) return `No model matches “${search}”. Search by id, provider or family.`;
  if (left > 0) return `${formatCount(left)} more: type to find them.`;
  return count === 1 ? "1 model" : `${formatCount(count)} models`;
}

type ModelOptionProps = {
  id: string;
  model: OrganizationModel;
  isChosen: boolean;
  isActive: boolean;
  point: () => void;
  choose: () => void;
};

function ModelOption({ id, model, isChosen, isActive, point, choose }: ModelOptionProps) {
  const price = describeListPrice(model);
  const providers = [...new Set(model.routes.map(({ provider }) => provider))].join(", ");
  return (
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      aria-current={isChosen || undefined}
      onPointerMove={isActive ? undefined : point}
      onClick={choose}
      className={classNames(
        "grid cursor-pointer grid-cols-[1rem_minmax(0,1fr)_auto] items-baseline gap-x-2 rounded-sm px-2 py-1.5",
        "pointer-coarse:min-h-11",
        isActive && "bg-default",
      )}
    >
      <Check aria-hidden className={classNames("size-3.5 self-center", !isChosen && "invisible")} />
      <span className="font-mono text-sm font-medium break-words">{model.id}</span>
      <span className="text-right text-sm whitespace-nowrap tabular-nums">{price.amount}</span>
      <span className="col-start-2 truncate text-xs text-muted">
        {providers}
        {model.context_window !== null && `, context ${formatCount(model.context_window)}`}
      </span>
      <span className="text-right text-xs whitespace-nowrap text-muted">{price.unit}</span>
    </div>
  );
}

type Priced = Pick<OrganizationModel, "family" | "price" | "unit_price" | "currency" | "rate">;

/** Describes a list price as an amount and its unit: "1.25 in, 10.00 out" and "USD per 1M tokens × rate 0.20". */
export function describeListPrice({ family, price, unit_price, currency, rate }: Priced): {
  amount: string;
  unit: string;
} {
  const times = Number(rate) === 1 ? "" : ` × rate ${trimDecimal(rate)}`;
  if (price) {
    const { input_per_1m, output_per_1m } = price;
    if (Number(input_per_1m) === 0 && Number(output_per_1m) === 0) return { amount: "Free", unit: "" };
    const input = `${formatDecimal(input_per_1m)} in`;
    return {
      amount: writesTokens(family) ? `${input}, ${formatDecimal(output_per_1m)} out` : input,
      unit: `${currency} per 1M tokens${times}`,
    };
  }
  if (!unit_price) return { amount: "No price", unit: "" };
  const { unit, amount, qualities = {} } = unit_price;
  const others = Object.entries(qualities).map(([quality, one]) => `, ${quality} ${formatDecimal(one)}`);
  if (Number(amount) === 0 && others.length === 0) return { amount: "Free", unit: "" };
  return { amount: formatDecimal(amount) + others.join(""), unit: `${currency} per ${unit}${times}` };
}
