"use client";

import { ChevronsUpDown } from "lucide-react";
import { useId, useLayoutEffect, useRef } from "react";
import { useIsHydrated } from "@/components/ui/browser/use-is-hydrated";
import { useEarlyEntry } from "@/components/ui/fields/use-early-entry";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { groupByFamily } from "./list-models";
import { ModelPicker } from "./model-picker";

type ModelSelectProps = {
  /** Models that can be called; null if they can't be listed, in which case the name is typed. */
  models: readonly OrganizationModel[] | null;
  value: string;
  change: (model: string) => void;
  isInvalid: boolean;
  /** Returns the ids of recently used models. */
  listRecent: () => readonly string[];
};

const style =
  "h-8 w-full appearance-none truncate rounded-md bg-transparent pr-6 pl-1.5 font-mono text-sm font-medium " +
  "hover:bg-default pointer-coarse:h-11 pointer-coarse:text-lg";

/**
 * Selects a pane's model. Until the page's script has loaded it is the browser's own select, which works without one.
 */
export function ModelSelect({ models, value, change, isInvalid, listRecent }: ModelSelectProps) {
  const id = useId();
  const isHydrated = useIsHydrated();
  const hadFocus = useRef(false);
  useEarlyEntry(id, change);
  useLayoutEffect(() => {
    if (!isHydrated) hadFocus.current = document.activeElement?.id === id;
  }, [id, isHydrated]);
  if (!models) {
    return (
      <input
        id={id}
        aria-label="Model"
        aria-invalid={isInvalid || undefined}
        value={value}
        placeholder="Such as gpt-5-mini"
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => change(event.target.value)}
        className="field h-8 min-w-0 flex-1 font-mono text-sm pointer-coarse:h-11"
      />
    );
  }
  return (
    <span className="relative max-w-72 min-w-20 flex-1">
      {isHydrated ? (
        <ModelPicker {...{ models, value, change, listRecent, hadFocus }} className={style} />
      ) : (
        <NativeSelect {...{ id, models, value, change }} />
      )}
      <ChevronsUpDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-1.5 size-3.5 -translate-y-1/2 text-muted"
      />
    </span>
  );
}

type NativeSelectProps = Pick<ModelSelectProps, "value" | "change"> & {
  id: string;
  models: readonly OrganizationModel[];
};

function NativeSelect({ id, models, value, change }: NativeSelectProps) {
  return (
    <select
      id={id}
      aria-label="Model"
      value={value}
      onChange={(event) => change(event.target.value)}
      className={style}
    >
      {!models.some((model) => model.id === value) && <option value={value}>{value}</option>}
      {groupByFamily(models).map((group) => (
        <optgroup key={group.label} label={group.label}>
          {group.models.map((model) => (
            <option key={model.id} value={model.id}>
              {model.id}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}
