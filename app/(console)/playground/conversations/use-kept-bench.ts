"use client";

import { useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from "react";
import { consoleUnreachable, fetchRead } from "@/app/queries/fetch-read";
import { useDraftPlace } from "@/components/form/draft-scope";
import { keepDraft, readDraft } from "@/components/form/drafts";
import { toast } from "@/components/ui/toast";
import { type Problem, ProblemError } from "@/lib/console/gateway/problem";
import type { BenchStore } from "../panes/bench-store";
import { afterLeaving, type Bench } from "../panes/pane";
import { keepConversation } from "./conversation-actions";
import { ConversationKeeper } from "./conversation-keeper";
import { type ConversationGateway, type Keeping, newKeeping } from "./keeping";
import { fingerprintOf, isBlank } from "./kept-content";

type KeptBenchOptions = {
  store: BenchStore;
  projectId: string | null;
  /** The conversation id from the address. */
  asked: string | undefined;
  /** True if the gateway can store conversations. */
  isOffered: boolean;
  /** Starts a new conversation, instead of opening the latest one, if this tab has none. */
  beginsAnew: boolean;
  /** A workbench from the address for a new conversation. It replaces the one in this tab. */
  instead: Bench | null;
  /** Adapts the workbench restored in this tab. */
  adopt: (bench: Bench) => Bench;
};

const LOCAL_AFTER_MS = 300;
/** Number of recent conversations that are searched for one of this project. */
const LOOKED_AT = 20;

const gateway: ConversationGateway = {
  save: (input) => keepConversation(input).catch(refused),
  read: (id) =>
    fetchRead("retrieveConversation", { conversation_id: id }, new AbortController().signal).then(
      (data) => ({ ok: true as const, data }),
      refused,
    ),
};

function refused(error: unknown): { readonly ok: false } & Problem {
  return { ok: false, ...(error instanceof ProblemError ? error.problem : consoleUnreachable) };
}

const timers = {
  set: (work: () => void, ms: number) => window.setTimeout(work, ms),
  clear: (timer: number) => window.clearTimeout(timer),
};

/**
 * Saves the workbench: in this tab at once, so that a reload loses nothing, and to the gateway soon after, for other sessions.
 */
export function useKeptBench(options: KeptBenchOptions) {
  const { store, projectId, isOffered } = options;
  const place = useDraftPlace("workbench");
  const [keeper] = useState(() => {
    const made = new ConversationKeeper({ store, gateway, projectId, isOffered, timers });
    const save = () => void made.flush();
    if (isOffered) store.keepAnswersWith({ conversationId: () => made.keeping.id, save });
    return made;
  });
  const keeping = useSyncExternalStore(
    keeper.subscribe,
    () => keeper.keeping,
    () => keeper.keeping,
  );
  const begin = useEffectEvent(async () => {
    const local = place && readDraft(place)?.values;
    if (local) restore(keeper, store, local, options.adopt);
    const { asked } = options;
    if (asked) {
      const refusal = await keeper.open(asked);
      // Remove the parameter, so that a reload doesn't open it again but restores the edited state.
      if (refusal === null) window.history.replaceState(null, "", window.location.pathname);
      else toast({ message: refusal, tone: "bad" });
    } else if (options.instead) await beginInstead(keeper, store, options.instead);
    else if (local) await keeper.refresh();
    else if (isOffered && !options.beginsAnew) await openLatest(keeper, store, projectId);
  });
  useEffect(() => {
    if (!place) return;
    let timer: number | null = null;
    const keepLocally = () => {
      if (timer !== null) window.clearTimeout(timer);
      timer = null;
      keepDraft(place, { values: { bench: store.bench, keeping: keeper.keeping }, base: null });
    };
    const later = () => {
      timer ??= window.setTimeout(keepLocally, LOCAL_AFTER_MS);
    };
    const keepNow = () => {
      if (timer !== null) keepLocally();
      void keeper.flush();
    };
    const leaves: (() => void)[] = [];
    // Wait for hydration: the server rendered a page without a conversation.
    queueMicrotask(() => {
      leaves.push(keeper.follow(), store.subscribe(later), keeper.subscribe(later));
      void begin();
    });
    window.addEventListener("pagehide", keepNow);
    return () => {
      store.stopPassing();
      store.detach();
      keepNow();
      for (const leave of leaves) leave();
      window.removeEventListener("pagehide", keepNow);
    };
  }, [store, keeper, place]);
  return useMemo(() => ({ keeping, keeper }), [keeping, keeper]);
}

export type KeptBench = ReturnType<typeof useKeptBench>;

/** Restores this tab's workbench. Unsaved edits are saved as usual, or reported as stale. */
function restore(
  keeper: ConversationKeeper,
  store: BenchStore,
  local: Readonly<Record<string, unknown>>,
  adopt: (bench: Bench) => Bench,
): void {
  const bench = afterLeaving(local.bench as Bench);
  const keeping = (local.keeping as Keeping | undefined) ?? newKeeping();
  const state = { kind: keeping.state.kind === "saved" ? ("saved" as const) : ("unsaved" as const) };
  // This tab may have sent it before a reload, without receiving the reply.
  const known = [...keeping.known, fingerprintOf(local.bench as Bench)];
  keeper.take(bench, { ...keeping, known, state });
  if (adopt(bench) !== bench) store.change(adopt);
}

/** Saves this tab's conversation, then starts a new one. A reload continues the new one. */
async function beginInstead(keeper: ConversationKeeper, store: BenchStore, bench: Bench): Promise<void> {
  const isKept = await keeper.startAnother(false);
  if (isKept) store.change(() => bench);
  else
    toast({ message: "The open conversation is not saved. Decide first what is kept of it.", tone: "bad" });
  window.history.replaceState(null, "", window.location.pathname);
}

/** Opens the person's latest conversation in this project, unless they have started to write meanwhile. */
async function openLatest(keeper: ConversationKeeper, store: BenchStore, projectId: string | null) {
  const list = await fetchRead(
    "listOwnConversations",
    { limit: String(LOOKED_AT) },
    new AbortController().signal,
  ).catch(() => null);
  const latest = list?.data.find(({ project_id }) => project_id === projectId);
  if (!latest) return;
  const found = await gateway.read(latest.id);
  if (found.ok && isBlank(store.bench)) keeper.show(found.data);
}
