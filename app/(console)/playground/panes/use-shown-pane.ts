import { useState } from "react";
import { isWritten, newPane } from "@/components/playground/panes/pane";
import { MAX_PANES, type Workbench } from "@/components/playground/workbench";
import type { WorkbenchStore } from "@/components/playground/workbench-store";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";

/** Tracks the pane shown on a phone, and adds panes. */
export function useShownPane(
  workbench: Workbench,
  store: WorkbenchStore,
  models: readonly OrganizationModel[] | null,
) {
  const [shown, show] = useState<string | null>(null);
  const shownId = (workbench.panes.find(({ id }) => id === shown) ?? workbench.panes[0])?.id ?? "";
  function addPane() {
    if (workbench.panes.length >= MAX_PANES) return;
    const taken = workbench.panes.map(({ model }) => model);
    // Chat models come first, but a pane of the kind that is open is the likelier wish.
    const kinds = workbench.panes.map(({ model }) => models?.find(({ id }) => id === model)?.family);
    const free = models?.filter(({ id }) => !taken.includes(id)) ?? [];
    const next = free.find(({ family }) => kinds.includes(family)) ?? free[0];
    const written = workbench.panes.find(isWritten)?.messages ?? [];
    const pane = { ...newPane(next?.id ?? taken[0] ?? ""), messages: written };
    store.change((before) => ({ ...before, panes: [...before.panes, pane] }));
    show(pane.id);
  }
  function showNext(by: 1 | -1) {
    const { panes } = workbench;
    const at = (panes.findIndex(({ id }) => id === shownId) + by + panes.length) % panes.length;
    show(panes[at]?.id ?? null);
    // By position, because the server renders the first pane with a different id.
    document.querySelector<HTMLElement>(`[data-pane="${at + 1}"]`)?.focus();
  }
  return { shownId, show, addPane, showNext };
}
