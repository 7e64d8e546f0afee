"use client";

import { type KeyboardEvent, useState } from "react";
import { isComposing } from "@/components/ui/browser/is-composing";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { findExactModel, listModels } from "./list-models";

const PAGE = 8;

type ModelSearchOptions = {
  models: readonly OrganizationModel[];
  value: string;
  change: (model: string) => void;
  listRecent: () => readonly string[];
};

/** What is typed into a model picker and found for it, and the keys that move in the list. */
export function useModelSearch({ models, value, change, listRecent }: ModelSearchOptions) {
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
