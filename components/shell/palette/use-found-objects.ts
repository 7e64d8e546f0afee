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
import { paths } from "@/lib/console/paths";
import { leaveForSignIn } from "../../session/leave-for-sign-in";
import { reloadIfReplaced } from "../../session/page-person";
import { confirmLeave, isAnythingUndrafted } from "../../ui/dialog/unsaved";
import { explainLostConsole } from "../../ui/states/explain-lost-console";
import type { FindObjects, FoundObject, ShellActions } from "../shell-data";
import type { Command } from "./commands";

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

/** Objects with pages of their own that are too many to be searched by name: only their ids are recognized. */
const pages: ReadonlyMap<string, { kind: string; href: (id: string) => string }> = new Map([
  ["req", { kind: "Request", href: paths.request }],
  ["hold", { kind: "Request", href: (id) => paths.request(id.replace(/^hold/, "req")) }],
  ["txn", { kind: "Ledger entry", href: paths.ledgerEntry }],
  ["task", { kind: "Task", href: paths.task }],
  ["batch", { kind: "Batch", href: paths.batch }],
  ["audit", { kind: "Audit event", href: paths.auditLog }],
]);

/** Finds the ids in a text that was pasted from anywhere, such as an error or an address. */
export function recognizeIds(text: string): FoundObject[] {
  const ids = new Set([...text.matchAll(/(?<![a-z0-9])([a-z]+)_[a-z0-9]{10,}/g)].map(([id]) => id));
  return [...ids].flatMap((id) => {
    const page = pages.get(id.slice(0, id.indexOf("_")));
    return page ? { kind: page.kind, id, label: id, href: page.href(id) } : [];
  });
}

type SearchResult = {
  /** The text that was searched for. */
  text: string;
  objects: readonly FoundObject[];
  /** Why the search failed; null if it didn't. */
  fault: string | null;
};

/**
 * Searches for objects, which the person sees whom this page was made for. Never throws. If the session has ended, goes
 * to the sign-in screen, which returns here; unless that would lose what is on this page alone.
 */
export async function searchObjects(findObjects: FindObjects, text: string): Promise<SearchResult> {
  if (reloadIfReplaced()) return { text, objects: [], fault: null };
  const reply: Awaited<ReturnType<FindObjects>> = await findObjects(text).catch((error: unknown) => ({
    ok: false,
    message: explainLostConsole(error, "none"),
  }));
  if (!reply.ok && reply.code === "unauthenticated" && !isAnythingUndrafted()) leaveForSignIn();
  return reply.ok ? { text, objects: reply.data, fault: null } : { text, objects: [], fault: reply.message };
}

type Hits = { count: number; isSearching: boolean; search: string; fault: string | null };

/** What the palette found, in words. That nothing was found isn't said of a search that failed. */
export function describeHits({ count, isSearching, search, fault }: Hits): string {
  const found = count === 1 ? "1 result" : `${count} results`;
  if (fault !== null) return `${count > 0 ? `${found}. ` : ""}The search failed: ${fault}`;
  if (count > 0) return found;
  return isSearching ? "Searching…" : `Nothing is named “${search}”.`;
}
