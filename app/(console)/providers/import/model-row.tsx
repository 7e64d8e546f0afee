"use client";

import { memo, type ReactNode, useEffect, useRef } from "react";
import { classNames } from "@/components/ui/class-names";
import { Checkbox } from "@/components/ui/fields/checkbox";
import { formatCount } from "@/components/ui/values/group-digits";
import { writesTokens } from "@/lib/contract/calls/model-families";
import type { OfferedModel } from "@/lib/contract/operations/models/provider-tests";
import { type Choice, canImport, findMissing, hasPrice, type MissingField } from "./import-choices";

type ModelRowProps = {
  offered: OfferedModel;
  choice: Choice;
  /** The model rate of all, which is shown where a row has none of its own. */
  rate: string;
  change: (model: string, change: Partial<Choice>) => void;
};

/** A model of the provider's list: its prices are typed over where it is ticked. */
export const ModelRow = memo(function ModelRow({ offered, choice, rate, change }: ModelRowProps) {
  const { model, family, context_window, imported } = offered;
  const isOpen = canImport(offered);
  const missing = choice.isTicked ? findMissing(offered, choice) : null;
  const isFaint = !choice.isTicked;
  return (
    <tr
      role="row"
      className={classNames(
        "border-b last:border-b-0 @max-lg:grid @max-lg:grid-cols-[2.5rem_repeat(4,minmax(0,1fr))] @max-lg:items-start @max-lg:py-1",
        isFaint && "text-muted",
        missing && "bg-warning-soft",
      )}
    >
      <td role="cell" className="w-10 pl-4! sm:pl-6!">
        {isOpen && (
          <Checkbox
            aria-label={`Import ${model}`}
            checked={choice.isTicked}
            onChange={({ target }) => change(model, { isTicked: target.checked })}
          />
        )}
      </td>
      <NameCell {...{ offered, choice, missing, change }} />
      <td role="cell" className="text-muted @max-3xl:hidden">
        {family}
      </td>
      <td role="cell" className="text-right text-muted tabular-nums @max-3xl:hidden">
        {context_window === null ? "unknown" : formatCount(context_window)}
      </td>
      <PriceCells offered={offered} choice={choice} missing={missing} change={change} />
      <td role="cell" className="pr-4! text-right @max-lg:pr-2! sm:pr-6!">
        {imported ? (
          <span className="text-xs">already here, {imported.rate}</span>
        ) : (
          choice.isTicked && (
            <Narrow label="Rate">
              <Cell
                label={`Model rate of ${model}`}
                value={choice.rate}
                placeholder={rate}
                isFramed
                isMissing={missing?.field === "rate"}
                set={(own) => change(model, { rate: own })}
              />
            </Narrow>
          )
        )}
      </td>
    </tr>
  );
});

/** The name at the provider, that here where it is another one, and on a narrow screen what has no column there. */
function NameCell({ offered, choice, missing, change }: PriceCellsProps) {
  const { model, family, context_window: size } = offered;
  return (
    <th role="rowheader" scope="row" className="max-w-72 text-left font-normal @max-lg:col-span-4">
      <span className="font-mono text-xs wrap-anywhere">{model}</span>
      <span className="block text-xs text-muted @3xl:hidden">
        {family} · {size === null ? "context window unknown" : `context ${formatCount(size)}`}
      </span>
      {canImport(offered) && choice.isTicked && (choice.id !== model || missing?.field === "id") && (
        <span className="flex items-center gap-1.5 text-xs text-muted">
          as
          <Cell
            label={`Id of ${model} here`}
            value={choice.id}
            isWide
            isMissing={missing?.field === "id"}
            set={(id) => change(model, { id })}
          />
        </span>
      )}
    </th>
  );
}

/** A value with its column's name above it, where the row stands as a block. */
function Narrow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <span className="block text-xs text-muted @lg:hidden">{label}</span>
      {children}
    </>
  );
}

type PriceCellsProps = Pick<ModelRowProps, "offered" | "choice" | "change"> & {
  missing: MissingField | null;
};

function PriceCells({ offered, choice, missing, change }: PriceCellsProps) {
  const { model, family, unusable } = offered;
  if (unusable) return <WideCell>{unusable}</WideCell>;
  if (!choice.isTicked && !hasPrice(offered) && !offered.imported)
    return <WideCell>not in the catalogue</WideCell>;
  if (choice.unit !== null)
    return (
      <WideCell>
        {choice.isTicked ? (
          <Cell
            label={`Price of ${model} per ${choice.unit}`}
            value={choice.amount}
            isMissing={missing?.field === "amount"}
            isFramed={missing !== null}
            set={(amount) => change(model, { amount })}
          />
        ) : (
          choice.amount
        )}{" "}
        per {choice.unit}
      </WideCell>
    );
  const fields = [
    ["input", "Input", true],
    ["cached", "Cached input", family === "chat"],
    ["output", "Output", writesTokens(family)],
  ] as const;
  return fields.map(([field, label, isPriced]) => (
    <td
      key={field}
      role="cell"
      className={classNames("text-right tabular-nums", field === "input" && "@max-lg:col-start-2")}
    >
      <Narrow label={field === "cached" ? "Cached" : label}>
        {!isPriced ? (
          <span className="px-1.75 text-muted">–</span>
        ) : choice.isTicked ? (
          <Cell
            label={`${label} price of ${model}`}
            value={choice[field]}
            isMissing={missing?.field === field}
            placeholder={field === "cached" ? "as input" : ""}
            isFramed={missing !== null}
            set={(text) => change(model, { [field]: text })}
          />
        ) : (
          <span className="px-1.75">{choice[field] || "–"}</span>
        )}
      </Narrow>
    </td>
  ));
}

/** In place of the three prices. */
const WideCell = ({ children }: { children: ReactNode }) => (
  <td
    role="cell"
    colSpan={3}
    className="text-right text-xs tabular-nums @max-lg:col-start-2 @max-lg:col-end-5 @max-lg:text-left"
  >
    {children}
  </td>
);

type CellProps = {
  label: string;
  value: string;
  set: (text: string) => void;
  placeholder?: string;
  /** Whether it looks like a field before it is pointed at. */
  isFramed?: boolean;
  isWide?: boolean;
  isMissing?: boolean;
};

/** A number that looks like text until it is typed over. A missing one takes the focus as its row is ticked. */
function Cell({
  label,
  value,
  set,
  placeholder,
  isFramed = false,
  isWide = false,
  isMissing = false,
}: CellProps) {
  const input = useRef<HTMLInputElement>(null);
  const wasTyped = useRef(false);
  useEffect(() => {
    if (isMissing && value === "" && !wasTyped.current) input.current?.focus();
  }, [isMissing, value]);
  return (
    <input
      aria-label={label}
      aria-invalid={isMissing || undefined}
      inputMode={isWide ? undefined : "decimal"}
      autoComplete="off"
      spellCheck={false}
      ref={input}
      placeholder={placeholder}
      value={value}
      onChange={({ target }) => {
        wasTyped.current = true;
        set(target.value);
      }}
      className={classNames(
        "h-6 rounded-sm border px-1.5 tabular-nums placeholder:text-muted hover:border-foreground/60 focus:border-accent pointer-coarse:h-9",
        isWide ? "w-44 font-mono text-xs" : "w-18 max-w-full text-right",
        isFramed || isWide ? "bg-surface" : "border-transparent bg-transparent",
        isMissing && "border-danger",
      )}
    />
  );
}
