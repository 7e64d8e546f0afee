"use client";

import { useEffect, useState, useSyncExternalStore } from "react";
import { useDraftPlace } from "@/components/form/draft-scope";
import { keepDraft, readDraft } from "@/components/form/drafts";
import type { OrganizationModel } from "@/lib/contract/operations/models";
import { firstCallable } from "../callable-models";
import { afterLeaving, BenchStore } from "./bench-store";
import { type Bench, newBench } from "./pane";

type BenchOptions = {
  models: readonly OrganizationModel[] | null;
  askedModel: string | undefined;
  projectId: string | null;
};

/** A workbench is kept when nothing has changed for as long. */
const KEEP_AFTER_MS = 300;

/** The workbench of this page, which is found again after a reload. Leaving the page stops its calls. */
export function useBench({ models, askedModel, projectId }: BenchOptions): [Bench, BenchStore] {
  const chosen = models?.find(({ id }) => id === askedModel)?.id;
  const first = models ? (chosen ?? firstCallable(models)?.id ?? "") : (askedModel ?? "");
  const [store] = useState(() => new BenchStore(newBench(first), projectId));
  const bench = useSyncExternalStore(
    store.subscribe,
    () => store.bench,
    () => store.bench,
  );
  const place = useDraftPlace("workbench");

  useEffect(() => {
    if (!place) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let leave = () => {};
    const keep = () => {
      clearTimeout(timer);
      timer = undefined;
      keepDraft(place, { values: { bench: store.bench }, base: null });
    };
    const keepNow = () => timer !== undefined && keep();
    // Not while the page takes over from the server's, which knows of no conversation.
    queueMicrotask(() => {
      const kept = readDraft(place)?.values.bench as Bench | undefined;
      if (kept) store.change(() => withAsked(afterLeaving(kept), chosen));
      leave = store.subscribe(() => {
        timer ??= setTimeout(keep, KEEP_AFTER_MS);
      });
    });
    window.addEventListener("pagehide", keepNow);
    return () => {
      leave();
      store.stop();
      keepNow();
      window.removeEventListener("pagehide", keepNow);
    };
  }, [store, place, chosen]);

  return [bench, store];
}

/** A model that the address asks for takes the first pane. */
function withAsked(bench: Bench, model: string | undefined): Bench {
  const [first, ...others] = bench.panes;
  return first && model ? { ...bench, panes: [{ ...first, model }, ...others] } : bench;
}
