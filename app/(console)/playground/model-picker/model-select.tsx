"use client";

import { ChevronsUpDown } from "lucide-react";
import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from "react";
import { isComposing } from "@/components/ui/browser/is-composing";
import { useIsHydrated } from "@/components/ui/browser/use-is-painted";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useEarlyEntry } from "@/components/ui/fields/use-early-entry";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { findExactModel, groupByFamily, listModels } from "./list-models";

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

const FoundModels = loadOnClient(() => import("./found-models").then((file) => file.FoundModels));

type ModelPickerProps = {
  models: readonly OrganizationModel[];
  value: string;
  change: (model: string) => void;
  listRecent: () => readonly string[];
  /** Whether it replaces a control that had the focus. */
  hadFocus: RefObject<boolean>;
  className: string;
};

/**
 * Finds a model by typing or in a list, after the ARIA editable combobox pattern. Leaving it without a choice keeps the
 * model.
 */
function ModelPicker({ hadFocus, className, ...options }: ModelPickerProps) {
  const { value } = options;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const search = useModelSearch(options);
  const { isOpen, typed, groups, left, active, point, choose } = search;

  useLayoutEffect(() => {
    if (hadFocus.current) input.current?.focus();
  }, [hadFocus]);
  // Whatever is typed next replaces the model's id.
  useLayoutEffect(() => {
    const field = input.current;
    if (typed === null && field === document.activeElement) field?.setSelectionRange(0, value.length);
  }, [typed, value]);

  return (
    <>
      <input
        ref={input}
        role="combobox"
        aria-label="Model"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={active >= 0 && isOpen ? `${id}-${active}` : undefined}
        value={typed ?? value}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => search.open(event.target.value)}
        onClick={(event) => {
          if (isOpen) return;
          event.currentTarget.select();
          search.open(null);
        }}
        onKeyDown={search.onKeyDown}
        // It keeps the focus, and its list, while another window is used.
        onBlur={() => document.activeElement !== input.current && search.leave()}
        className={className}
      />
      {isOpen && (
        <FoundModels {...{ id, input, groups, left, value, active, point, choose }} search={typed ?? ""} />
      )}
    </>
  );
}

const PAGE = 8;

type ModelSearchOptions = {
  models: readonly OrganizationModel[];
  value: string;
  change: (model: string) => void;
  listRecent: () => readonly string[];
};

/** What is typed into a model picker and found for it, and the keys that move in the list. */
function useModelSearch({ models, value, change, listRecent }: ModelSearchOptions) {
  /** The typed text, null before; and the index of the active option. Null while the list is closed. */
  const [search, setSearch] = useState<{ typed: string | null; active: number } | null>(null);
  const typed = search?.typed ?? null;
  const { groups, left } = search ? listModels(models, typed ?? "", listRecent()) : { groups: [], left: 0 };
  const options = groups.flatMap((group) => group.models);
  const active = Math.min(search?.active ?? 0, options.length - 1);
  const last = options.length - 1;

  function open(text: string | null) {
    const listed = listModels(models, text ?? "", listRecent()).groups.flatMap((group) => group.models);
    setSearch({ typed: text, active: findExactModel(listed, text ?? value) });
  }
  const close = () => setSearch(null);
  const point = (index: number) => setSearch((before) => before && { ...before, active: index });
  function choose(model: OrganizationModel | undefined) {
    if (!model) return;
    close();
    change(model.id);
  }
  /** Closes the list. A completely typed id is a choice. */
  function leave() {
    const exact = models.find(({ id }) => id === typed?.trim());
    close();
    if (exact) change(exact.id);
  }

  const closedKeys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => open(null),
    ArrowUp: () => open(null),
    Enter: () => open(null),
  };
  const listKeys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => point(active >= last ? 0 : active + 1),
    ArrowUp: () => point(active <= 0 ? last : active - 1),
    PageDown: () => point(Math.min(last, active + PAGE)),
    PageUp: () => point(Math.max(0, active - PAGE)),
    Home: () => point(0),
    End: () => point(last),
    Enter: () => choose(options[active]),
    Escape: close,
  };
  function onKeyDown(event: KeyboardEvent) {
    if (isComposing(event) || event.ctrlKey || event.metaKey) return;
    const act = (search ? listKeys : closedKeys)[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  return { isOpen: search !== null, typed, groups, left, active, open, point, choose, leave, onKeyDown };
}
