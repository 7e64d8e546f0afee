"use client";

import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { fetchRead } from "@/app/queries/fetch-read";
import { useDraftPlace } from "@/components/form/draft-scope";
import { keepDraft, readDraft } from "@/components/form/drafts";
import { afterLeaving, type BenchStore } from "./bench-store";
import { keepConversation } from "./conversation-actions";
import { benchOf, contentOf, isBlank, titleOf } from "./kept-content";
import { type Bench, isPaneRunning, newId } from "./pane";

export type KeptBench = ReturnType<typeof useKeptBench>;

/** Where the workbench is kept, and how that stands. */
export interface Keeping {
  readonly id: string;
  /** Of what the gateway has; null before it has any. */
  readonly version: string | null;
  readonly isShared: boolean;
  readonly state: "unsaved" | "saving" | "saved" | "stale" | "too large" | "failed";
}

type KeptBenchOptions = {
  store: BenchStore;
  projectId: string | null;
  /** The conversation that the address asks for. */
  asked: string | undefined;
  /** Whether the gateway keeps any. */
  isOffered: boolean;
  /** What becomes of a workbench that was found. */
  adopt: (bench: Bench) => Bench;
};

const LOCAL_AFTER_MS = 300;
const KEEP_AFTER_MS = 1_500;

function newKeeping(): Keeping {
  return { id: `conv_${newId()}`, version: null, isShared: false, state: "unsaved" };
}

/**
 * Keeps the workbench: at once in this tab, so that a reload loses nothing, and soon at the gateway, so that no other
 * session misses it. Where another tab has kept something newer, nothing is overwritten until somebody decides.
 */
export function useKeptBench({ store, projectId, asked, isOffered, adopt }: KeptBenchOptions) {
  const place = useDraftPlace("workbench");
  const [keeping, setKeeping] = useState(newKeeping);
  const now = useRef(keeping);
  const isSaving = useRef(false);
  const change = useCallback((next: Partial<Keeping>) => {
    now.current = { ...now.current, ...next };
    setKeeping(now.current);
  }, []);
  const take = useCallback(
    (bench: Bench, next: Keeping) => {
      now.current = next;
      setKeeping(next);
      store.change(() => bench);
    },
    [store],
  );

  const save = useCallback(
    async (shared?: boolean) => {
      const { id, version, isShared } = now.current;
      const content = contentOf(store.bench);
      if (content === null) return change({ state: "too large" });
      change({ state: "saving" });
      isSaving.current = true;
      const draft = {
        title: titleOf(store.bench),
        project_id: projectId,
        is_shared: shared ?? isShared,
        content,
      };
      const reply = await keepConversation({ id, draft, ...(version !== null && { version }) }).catch(
        () => null,
      );
      isSaving.current = false;
      if (now.current.id !== id) return;
      if (!reply?.ok) return change({ state: reply?.code === "stale" ? "stale" : "failed" });
      const { version: saved = null, is_shared } = reply.data;
      change({
        version: saved,
        isShared: is_shared,
        state: now.current.state === "saving" ? "saved" : "unsaved",
      });
    },
    [store, projectId, change],
  );

  const open = useCallback(
    async (id: string) => {
      const found = await fetchRead(
        "retrieveConversation",
        { conversation_id: id },
        new AbortController().signal,
      );
      const bench = benchOf(found.content);
      if (!bench) return;
      store.stop();
      const own = { id, version: found.version ?? null, isShared: found.is_shared, state: "saved" as const };
      take(afterLeaving(bench), found.is_own ? own : newKeeping());
    },
    [store, take],
  );

  const begin = useEffectEvent(async () => {
    const local = place && readDraft(place)?.values;
    const bench = local?.bench as Bench | undefined;
    if (asked) await open(asked).catch(() => {});
    else if (bench) take(adopt(afterLeaving(bench)), (local?.keeping as Keeping | undefined) ?? newKeeping());
    else if (isOffered) await openLatest();
  });
  const openLatest = useEffectEvent(async () => {
    const list = await fetchRead("listOwnConversations", { limit: "20" }, new AbortController().signal).catch(
      () => null,
    );
    const latest = list?.data.find(({ project_id }) => project_id === projectId);
    // Who has begun to write meanwhile goes on with that.
    if (!latest || !isBlank(store.bench)) return;
    await open(latest.id).catch(() => {});
    store.change(adopt);
  });

  useEffect(() => {
    if (!place) return;
    const timers = { local: 0, gateway: 0 };
    let leave = () => {};
    let isGone = false;
    const keepLocally = () => {
      window.clearTimeout(timers.local);
      timers.local = 0;
      keepDraft(place, { values: { bench: store.bench, keeping: now.current }, base: null });
    };
    const keep = () => {
      timers.gateway = 0;
      if (isBlank(store.bench) || now.current.state === "stale") return;
      // Not with every word that streams.
      if (store.bench.panes.some(isPaneRunning) || isSaving.current) return later();
      void save().then(keepLocally, () => {});
    };
    const later = () => {
      if (isOffered) timers.gateway ||= window.setTimeout(keep, KEEP_AFTER_MS);
    };
    const keepNow = () => timers.local !== 0 && keepLocally();
    // Not while the page takes over from the server's, which knows of no conversation.
    queueMicrotask(async () => {
      await begin();
      if (isGone) return;
      leave = store.subscribe(() => {
        if (now.current.state !== "stale" && now.current.state !== "unsaved") change({ state: "unsaved" });
        timers.local ||= window.setTimeout(keepLocally, LOCAL_AFTER_MS);
        later();
      });
    });
    window.addEventListener("pagehide", keepNow);
    return () => {
      isGone = true;
      leave();
      store.stop();
      keepNow();
      if (timers.gateway !== 0) keep();
      window.removeEventListener("pagehide", keepNow);
    };
  }, [store, place, isOffered, save, change]);

  return {
    keeping,
    open,
    share: () => save(true),
    unshare: () => save(false),
    /** What is written from here on is another conversation. */
    startAnother: () => change(newKeeping()),
    /** Where another tab has kept something newer: that one, or this one beside it. */
    openNewer: () => open(now.current.id),
    keepAsCopy: () => {
      change(newKeeping());
      return save();
    },
  };
}
