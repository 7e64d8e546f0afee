"use client";

import { useEffect, useRef, useState } from "react";
import { listUnfilled } from "@/components/playground/variables/fill-workbench";
import type { WorkbenchStore } from "@/components/playground/workbench-store";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { AttachedFiles } from "../attachments/attached-files";
import { findRefused, type Refused } from "../panes/refused-pane";

type SendingOptions = {
  store: WorkbenchStore;
  files: AttachedFiles;
  models: readonly OrganizationModel[] | null;
  /** True while a new conversation is being started. */
  isStarting: () => boolean;
  /** Shows where a pane that the message can't go to is wrong. */
  refuse: (refused: Refused) => void;
};

/** Sends the message being written, or adds it without sending. `refused` says why the last one wasn't sent. */
export function useSending({ store, files, models, isStarting, refuse }: SendingOptions) {
  const [refused, setRefused] = useState<Refused | null>(null);
  const question = useUnfilledQuestion();
  const { isWaiting, once } = useMessage(store, files, isStarting);
  useEffect(() => dropFilesWithDraft(store, files), [store, files]);
  async function send(draft: string) {
    const faulty = findRefused({ ...store.workbench, draft }, files.state.attachments, models);
    setRefused(faulty);
    if (faulty) return refuse(faulty);
    const names = listUnfilled({ ...store.workbench, draft });
    if (question.isAsked(names)) return question.ask(names);
    const sent = files.take();
    if (draft.trim() === "" && sent.length === 0) return store.answerAll();
    if ((await store.send(draft, sent)) === "returned") files.restore(sent);
  }
  return {
    refused,
    isWaiting,
    send: () => void once(send),
    unfilled: question.shown && {
      names: question.shown,
      send: () => {
        question.sendAsWritten();
        void once(send);
      },
      close: question.close,
    },
    add: () => void once((draft) => store.add(draft, files.take())),
  };
}

/** Asks once about each variable without a value before it is sent as it is written. */
function useUnfilledQuestion() {
  const [shown, setShown] = useState<readonly string[] | null>(null);
  const sentAsWritten = useRef(new Set<string>());
  return {
    shown,
    isAsked: (names: readonly string[]) => names.some((name) => !sentAsWritten.current.has(name)),
    ask: (names: readonly string[]) => setShown(names),
    close: () => setShown(null),
    sendAsWritten() {
      for (const name of shown ?? []) sentAsWritten.current.add(name);
      setShown(null);
    },
  };
}

/** A message that was put back into the composer and then answered where it is leaves the composer with its files. */
function dropFilesWithDraft(store: WorkbenchStore, files: AttachedFiles): () => void {
  let { returned: before } = store.workbench;
  return store.subscribe(() => {
    const { returned, draft } = store.workbench;
    if (before !== undefined && returned === undefined && draft === "") files.dropRestored();
    before = returned;
  });
}

/**
 * Runs what takes the message being written: once its files are read, with the text of the press. What is typed while
 * they are read is the next message. If one of them can't be attached, nothing is sent without it.
 */
function useMessage(store: WorkbenchStore, files: AttachedFiles, isStarting: () => boolean) {
  const isUnderWay = useRef(false);
  const [isWaiting, setIsWaiting] = useState(false);
  const isHeld = () => isUnderWay.current || store.isRunning() || isStarting();
  async function once(work: (draft: string) => unknown): Promise<void> {
    if (isHeld()) return;
    const { draft } = store.workbench;
    if (files.state.isReading) {
      isUnderWay.current = true;
      setIsWaiting(true);
      const areAttached = await files.settle();
      isUnderWay.current = false;
      setIsWaiting(false);
      if (!areAttached || isHeld()) return;
    }
    await work(draft);
  }
  return { isWaiting, once };
}
