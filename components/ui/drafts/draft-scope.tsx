"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useMemo } from "react";
import { beginDrafts, type DraftLocation, followSignOut, readDraft } from "./drafts";

type Scope = { person: string };

const ScopeContext = createContext<Scope | null>(null);

/** Sets the person that drafts in `children` are stored under. The address of their page names the project. */
export function DraftScope({ person, children }: Scope & { children: ReactNode }) {
  const scope = useMemo(() => ({ person }), [person]);
  useEffect(() => {
    beginDrafts();
    return followSignOut();
  }, []);
  return <ScopeContext value={scope}>{children}</ScopeContext>;
}

/** Returns where the named form on this page stores its draft; null without a signed-in person. */
export function useDraftLocation(name: string): DraftLocation | null {
  const scope = useContext(ScopeContext);
  const path = usePathname();
  return useMemo(() => scope && { ...scope, path, name }, [scope, path, name]);
}

/** Opens the dialog named by the address's `open` parameter, or the first of `names` that has a draft. */
export function useReopen(names: string | readonly string[], open: (name: string) => void): void {
  const scope = useContext(ScopeContext);
  const path = usePathname();
  const openParameter = useSearchParams().get("open");
  const openAsked = useEffectEvent((name: string) => {
    if (![names].flat().includes(name)) return;
    // Remove the parameter, so that a reload doesn't open the dialog again.
    const remainingQuery = new URLSearchParams(window.location.search);
    remainingQuery.delete("open");
    const query = remainingQuery.toString();
    window.history.replaceState(null, "", query ? `?${query}` : window.location.pathname);
    open(name);
  });
  useEffect(() => {
    if (openParameter) openAsked(openParameter);
  }, [openParameter]);
  const openAgain = useEffectEvent((location: Omit<DraftLocation, "name">) => {
    const draftName = [names].flat().find((name) => readDraft({ ...location, name }));
    if (draftName !== undefined) open(draftName);
  });
  useEffect(() => {
    if (scope) openAgain({ ...scope, path });
  }, [scope, path]);
}
