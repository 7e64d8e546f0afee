"use client";

import { useState, useSyncExternalStore } from "react";
import { findFirstCallable } from "@/components/models/list-callable-models";
import { callActions } from "@/components/playground/answers/call-actions";
import { hasSettings, type PlaygroundParameters } from "@/components/playground/playground-parameters";
import { newWorkbench, type Workbench } from "@/components/playground/workbench";
import { WorkbenchStore } from "@/components/playground/workbench-store";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { useAutosave } from "../conversations/use-autosave";

type WorkbenchOptions = {
  models: readonly OrganizationModel[] | null;
  parameters: PlaygroundParameters;
  /** The conversation id from the address. */
  conversationId: string | undefined;
  projectId: string | null;
  /** True if the gateway can store conversations. */
  storesConversations: boolean;
};

/** Creates the workbench of this page and restores its saved state. Leaving the page stops its calls. */
export function useWorkbench({
  models,
  parameters,
  conversationId,
  projectId,
  storesConversations,
}: WorkbenchOptions) {
  const chosen = models?.find(({ id }) => id === parameters.model)?.id;
  const first = models
    ? (chosen ?? findFirstCallable(models)?.id ?? models[0]?.id ?? "")
    : (parameters.model ?? "");
  const [begin] = useState(() => newWorkbench(first, parameters.settings));
  const [store] = useState(() => new WorkbenchStore(begin, projectId, models, callActions));
  const workbench = useSyncExternalStore(
    store.subscribe,
    () => store.workbench,
    () => store.workbench,
  );
  const saved = useAutosave({
    store,
    projectId,
    conversationId,
    storesConversations,
    beginsAnew: chosen !== undefined,
    instead: hasSettings(parameters) ? begin : null,
    adopt: (found) => withModel(found, chosen),
  });
  return { workbench, store, saved, isAsSent: isSameBut("draft", workbench, begin) };
}

/** True if nothing but one property was changed since. */
function isSameBut(name: keyof Workbench, now: Workbench, before: Workbench): boolean {
  const names = new Set([...Object.keys(now), ...Object.keys(before)]) as Set<keyof Workbench>;
  names.delete(name);
  return [...names].every((one) => now[one] === before[one]);
}

/** Puts the model from the address into the first pane. */
function withModel(workbench: Workbench, model: string | undefined): Workbench {
  const [first, ...others] = workbench.panes;
  return first && model ? { ...workbench, panes: [{ ...first, model }, ...others] } : workbench;
}
