"use client";

import { memo, useEffect, useRef } from "react";
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
      className={classNames(
        "border-b last:border-b-0",
        isFaint && "text-muted",
        missing && "bg-warning-soft",
      )}
    >
      <td className="w-10 pl-4 sm:pl-6">
        {isOpen && (
          <Checkbox
            aria-label={`Import ${model}`}
            checked={choice.isTicked}
            onChange={({ target }) => change(model, { isTicked: target.checked })}
          />
        )}
      </td>
      <th scope="row" className="max-w-72 text-left font-normal">
        <span className="font-mono text-xs break-all">{model}</span>
        {isOpen && choice.isTicked && (choice.id !== model || missing?.field === "id") && (
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
      <td className="text-muted max-md:hidden">{family}</td>
      <td className="text-right text-muted tabular-nums max-lg:hidden">
        {context_window === null ? "unknown" : formatCount(context_window)}
      </td>
      <PriceCells offered={offered} choice={choice} missing={missing} change={change} />
      <td className="pr-4 text-right sm:pr-6">
        {imported ? (
          <span className="text-xs">already here, {imported.rate}</span>
        ) : (
          choice.isTicked && (
            <Cell
              label={`Model rate of ${model}`}
              value={choice.rate}
              placeholder={rate}
              isFramed
              isMissing={missing?.field === "rate"}
              set={(own) => change(model, { rate: own })}
            />
          )
        )}
      </td>
    </tr>
  );
});

type PriceCellsProps = Pick<ModelRowProps, "offered" | "choice" | "change"> & {
  missing: MissingField | null;
};

function PriceCells({ offered, choice, missing, change }: PriceCellsProps) {
  const { model, family, unusable } = offered;
  if (unusable)
    return (
      <td colSpan={3} className="text-right text-xs">
        {unusable}
      </td>
    );
  if (!choice.isTicked && !hasPrice(offered) && !offered.imported)
    return (
      <td colSpan={3} className="text-right text-xs">
        not in the catalogue
      </td>
    );
  if (choice.unit !== null)
    return (
      <td colSpan={3} className="text-right tabular-nums">
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
      </td>
    );
  const fields = [
    ["input", "Input", true],
    ["cached", "Cached input", family === "chat"],
    ["output", "Output", writesTokens(family)],
  ] as const;
  return fields.map(([field, label, isPriced]) => (
    <td key={field} className={classNames("text-right tabular-nums", field === "cached" && "max-sm:hidden")}>
      {!isPriced ? (
        <span className="text-muted">–</span>
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
        choice[field] || "–"
      )}
    </td>
  ));
}

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
        isWide ? "w-44 font-mono text-xs" : "w-18 text-right",
        isFramed || isWide ? "bg-surface" : "border-transparent bg-transparent",
        isMissing && "border-danger",
      )}
    />
  );
}
