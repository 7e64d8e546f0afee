"use client";

import { Box, Folder, KeyRound, type LucideIcon, ScrollText, User, UsersRound, Wallet } from "lucide-react";
import { useEffect, useState } from "react";
import { confirmLeave } from "../form/unsaved";
import type { Command } from "./commands";
import type { FoundObject, ShellActions } from "./shell-data";

/** Minimum length of a search, which starts once the text has been unchanged for `SETTLED_MS`. */
const SEARCHED_FROM = 2;
const SETTLED_MS = 200;

const icons: Readonly<Record<string, LucideIcon>> = {
  Project: Folder,
  Member: User,
  Group: UsersRound,
  Key: KeyRound,
  "Admin key": KeyRound,
  Model: Box,
  Request: ScrollText,
  "Ledger entry": Wallet,
};

/** Finds objects for the typed text. Ids of requests and ledger entries are recognized at once; the gateway finds everything else. */
export function useFoundObjects(
  search: string,
  findObjects: ShellActions["findObjects"],
  goTo: (href: string) => void,
): Command[] {
  const [answer, setAnswer] = useState<{ text: string; objects: readonly FoundObject[] }>();
  const text = search.trim();
  useEffect(() => {
    if (text.length < SEARCHED_FROM) return;
    let isWanted = true;
    const timer = setTimeout(async () => {
      const objects = await findObjects(text).catch(() => []);
      if (isWanted) setAnswer({ text, objects });
    }, SETTLED_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [text, findObjects]);
  const objects = answer?.text === text ? answer.objects : [];
  return [...recognize(text), ...objects].map(({ kind, id, label, href }) => ({
    id: `${kind} ${id}`,
    label,
    kind,
    icon: icons[kind] ?? Box,
    run: () => confirmLeave(() => goTo(href)),
  }));
}

function recognize(text: string): FoundObject[] {
  const [, prefix] = /^(req|txn)_\w{10,}$/.exec(text) ?? [];
  if (!prefix) return [];
  return prefix === "req"
    ? [{ kind: "Request", id: text, label: text, href: `/requests/${text}` }]
    : [{ kind: "Ledger entry", id: text, label: text, href: `/balance/${text}` }];
}
