"use client";

import { useRef, useState } from "react";
import type { OrganizationModel } from "@/lib/contract/operations/models";
import { answersNext, type Bench, isPaneRunning, MOST_PANES, newPane, type Pane, settingsOf } from "./pane";
import { type Faults, faultsOf } from "./settings";
import { useAttachments } from "./use-attachments";
import { useBench } from "./use-bench";
import { useRail } from "./use-rail";
import { useShortcuts } from "./use-shortcuts";

export type PlaygroundOptions = {
  /** Those that answer prompts; null where they can't be listed. */
  models: readonly OrganizationModel[] | null;
  askedModel: string | undefined;
  /** The conversation that the address asks for. */
  askedConversation: string | undefined;
  /** Whether the gateway keeps conversations. */
  isKept: boolean;
  projectId: string | null;
};

/** The workbench, what is being written for it, and what of it is seen. */
export function usePlayground(options: PlaygroundOptions) {
  const { models } = options;
  const { bench, store, kept } = useBench(options);
  const { take, giveBack, ...files } = useAttachments();
  const [refused, setRefused] = useState<Refused | null>(null);
  const [shown, show] = useState<string | null>(null);
  const [settingsOfPane, showSettingsOf] = useState<string | null>(null);
  const rail = useRail();
  const input = useRef<HTMLTextAreaElement>(null);
  const shownId = (bench.panes.find(({ id }) => id === shown) ?? bench.panes[0])?.id ?? "";

  function refuse(pane: Pane, faults: Faults) {
    setRefused({ paneId: pane.id, faults });
    showSettingsOf(pane.id);
    show(pane.id);
    rail.unfold();
  }
  async function send() {
    const faulty = bench.panes
      .map((pane) => ({ pane, faults: faultsOfPane(pane, settingsOf(bench, pane), models) }))
      .find(({ faults }) => Object.keys(faults).length > 0);
    if (faulty) return refuse(faulty.pane, faulty.faults);
    setRefused(null);
    const sent = take();
    if (bench.draft.trim() === "" && sent.length === 0) return store.answerAll();
    if ((await store.send(bench.draft, sent)) === "refused") giveBack(sent);
  }
  function startAnew() {
    store.clear();
    kept.startAnother();
    take();
    input.current?.focus();
  }
  function addPane() {
    if (bench.panes.length >= MOST_PANES) return;
    const taken = bench.panes.map(({ model }) => model);
    const pane = newPane(models?.find(({ id }) => !taken.includes(id))?.id ?? taken[0] ?? "");
    store.change((before) => ({ ...before, panes: [...before.panes, pane] }));
    show(pane.id);
  }
  function showNext(by: 1 | -1) {
    const { panes } = bench;
    const at = (panes.findIndex(({ id }) => id === shownId) + by + panes.length) % panes.length;
    show(panes[at]?.id ?? null);
    // By its place: the server gives its first pane another id.
    document.querySelector<HTMLElement>(`[data-pane="${at + 1}"]`)?.focus();
  }
  useShortcuts({
    KeyN: startAnew,
    KeyP: addPane,
    KeyS: rail.toggle,
    Period: () => showNext(1),
    Comma: () => showNext(-1),
  });

  const composer = {
    ...files,
    input,
    text: bench.draft,
    setText: (draft: string) => store.change((before) => ({ ...before, draft })),
    send: () => void send(),
    stop: store.stop,
    isRunning: bench.panes.some(isPaneRunning),
    canGoOn: bench.panes.some(answersNext),
  };
  const settings = { settingsOf: settingsOfPane, showSettingsOf };
  const refusal = refused && stillRefused(bench, refused, models);
  return {
    bench,
    store,
    kept,
    composer,
    refused: refusal,
    rail,
    shownId,
    show,
    addPane,
    startAnew,
    ...settings,
  };
}

type Refused = { readonly paneId: string; readonly faults: Faults };

/** What was refused goes as soon as it is mended; what is typed since is told at the next Send. */
function stillRefused(
  bench: Bench,
  { paneId, faults }: Refused,
  models: PlaygroundOptions["models"],
): Refused | null {
  const pane = bench.panes.find(({ id }) => id === paneId);
  const now = pane ? faultsOfPane(pane, settingsOf(bench, pane), models) : {};
  const left = Object.entries(now).filter(([name]) => Object.hasOwn(faults, name));
  return left.length > 0 ? { paneId, faults: Object.fromEntries(left) } : null;
}

function faultsOfPane(
  pane: Pane,
  settings: Parameters<typeof faultsOf>[0],
  models: PlaygroundOptions["models"],
): Faults {
  const most = models?.find(({ id }) => id === pane.model)?.max_output_tokens;
  const faults = faultsOf(settings, most);
  return pane.model.trim() === "" ? { model: "Name a model.", ...faults } : faults;
}
