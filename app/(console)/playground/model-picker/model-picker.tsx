"use client";

import { type RefObject, useId, useLayoutEffect, useRef } from "react";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { useModelSearch } from "./use-model-search";

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
export function ModelPicker({ hadFocus, className, ...options }: ModelPickerProps) {
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
