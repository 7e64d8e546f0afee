"use client";

import { useState, useSyncExternalStore } from "react";
import type { OrganizationModel } from "@/lib/contract/operations/models";
import { firstCallable } from "../../callable-models";
import { type Asked, hasSettings } from "../asked";
import { useKeptBench } from "../conversations/use-kept-bench";
import { BenchStore } from "./bench-store";
import { type Bench, newBench } from "./pane";

type BenchOptions = {
  models: readonly OrganizationModel[] | null;
  asked: Asked;
  /** The conversation id from the address. */
  askedConversation: string | undefined;
  projectId: string | null;
  /** True if the gateway can store conversations. */
  isKept: boolean;
};

/** Creates the workbench of this page and restores its saved state. Leaving the page stops its calls. */
export function useBench({ models, asked, askedConversation, projectId, isKept }: BenchOptions) {
  const chosen = models?.find(({ id }) => id === asked.model)?.id;
  const first = models ? (chosen ?? firstCallable(models)?.id ?? "") : (asked.model ?? "");
  const [begin] = useState(() => newBench(first, asked.settings));
  const [store] = useState(() => new BenchStore(begin, projectId));
  const bench = useSyncExternalStore(
    store.subscribe,
    () => store.bench,
    () => store.bench,
  );
  const kept = useKeptBench({
    store,
    projectId,
    asked: askedConversation,
    isOffered: isKept,
    beginsAnew: chosen !== undefined,
    instead: hasSettings(asked) ? begin : null,
    adopt: (found) => withAsked(found, chosen),
  });
  return { bench, store, kept };
}

/** Puts the model from the address into the first pane. */
function withAsked(bench: Bench, model: string | undefined): Bench {
  const [first, ...others] = bench.panes;
  return first && model ? { ...bench, panes: [{ ...first, model }, ...others] } : bench;
}
