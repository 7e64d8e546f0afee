"use client";

import {
  BookOpen,
  BookText,
  Box,
  Clapperboard,
  Folder,
  Gauge,
  HeartPulse,
  History,
  KeyRound,
  type LucideIcon,
  Rows4,
  ScrollText,
  ShieldCheck,
  User,
  UsersRound,
  Wallet,
} from "lucide-react";
import { useEffect, useState } from "react";
import { confirmLeave } from "../../ui/dialog/unsaved";
import type { ShellActions } from "../shell-data";
import type { Command } from "./commands";
import { recognizeIds } from "./recognize-ids";
import { type SearchResult, searchObjects } from "./search-objects";

/** Minimum length of a search, which starts once the text has been unchanged for `SETTLED_MS`. */
const SEARCHED_FROM = 2;
const SETTLED_MS = 200;

const icons: Readonly<Record<string, LucideIcon>> = {
  Project: Folder,
  Member: User,
  Group: UsersRound,
  Role: ShieldCheck,
  Key: KeyRound,
  "Admin key": KeyRound,
  Model: Box,
  "Rate limit": Gauge,
  Provider: HeartPulse,
  Prompt: BookText,
  Request: ScrollText,
  Task: Clapperboard,
  Batch: Rows4,
  "Audit event": History,
  "Ledger entry": Wallet,
  Payment: Wallet,
  Guide: BookOpen,
};

type FoundObjects = {
  objects: Command[];
  /** True until the gateway has answered for the present text. */
  isSearching: boolean;
  /** Why the search failed; null if it didn't. */
  fault: string | null;
  searchAgain: () => void;
};

/**
 * Finds objects for the typed text. Ids of calls and the like are recognized at once; the gateway finds everything
 * else.
 */
export function useFoundObjects(
  search: string,
  findObjects: ShellActions["findObjects"],
  goTo: (href: string) => void,
): FoundObjects {
  const [answer, setAnswer] = useState<SearchResult>();
  const [again, setAgain] = useState<{ text: string }>();
  const text = search.trim();
  useEffect(() => {
    if (text.length < SEARCHED_FROM) return;
    let isWanted = true;
    const timer = setTimeout(
      async () => {
        const found = await searchObjects(findObjects, text);
        if (isWanted) setAnswer(found);
      },
      again?.text === text ? 0 : SETTLED_MS,
    );
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [text, findObjects, again]);
  const isAnswered = answer?.text === text;
  const found = [...recognizeIds(text), ...(isAnswered ? answer.objects : [])];
  return {
    objects: found.map(({ kind, id, label, href }) => ({
      id: `${kind} ${id}`,
      label,
      kind,
      icon: icons[kind] ?? Box,
      run: () => confirmLeave(() => goTo(href)),
    })),
    isSearching: text.length >= SEARCHED_FROM && !isAnswered,
    fault: isAnswered ? answer.fault : null,
    searchAgain() {
      setAnswer(undefined);
      setAgain({ text });
    },
  };
}
