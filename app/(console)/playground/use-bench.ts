"use client";

import { useState, useSyncExternalStore } from "react";
import type { OrganizationModel } from "@/lib/contract/operations/models";
import { firstCallable } from "../callable-models";
import { BenchStore } from "./bench-store";
import { type Bench, newBench } from "./pane";
import { useKeptBench } from "./use-kept-bench";

type BenchOptions = {
  models: readonly OrganizationModel[] | null;
  askedModel: string | undefined;
  /** The conversation that the address asks for. */
  askedConversation: string | undefined;
  projectId: string | null;
  /** Whether the gateway keeps conversations. */
  isKept: boolean;
};

/** The workbench of this page, which is found again by whoever comes back. Leaving the page stops its calls. */
export function useBench({ models, askedModel, askedConversation, projectId, isKept }: BenchOptions) {
  const chosen = models?.find(({ id }) => id === askedModel)?.id;
  const first = models ? (chosen ?? firstCallable(models)?.id ?? "") : (askedModel ?? "");
  const [store] = useState(() => new BenchStore(newBench(first), projectId));
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
    adopt: (found) => withAsked(found, chosen),
  });
  return { bench, store, kept };
}

/** A model that the address asks for takes the first pane. */
function withAsked(bench: Bench, model: string | undefined): Bench {
  const [first, ...others] = bench.panes;
  return first && model ? { ...bench, panes: [{ ...first, model }, ...others] } : bench;
}
