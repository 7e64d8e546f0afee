"use client";

import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useUrlParameter } from "@/components/ui/filters/use-address-filter";
import {
  type Arrangement,
  arrangePairs,
  finish,
  type GridItem,
  type GroupBy,
  runInSlices,
} from "./arrange-pairs";
import type { LimitPair } from "./limit-pair";

const NO_GROUPS: ReadonlySet<string> = new Set();

/** How the rows are filtered, grouped and sorted. All but the opened and closed groups are in the address. */
export function useArrangement() {
  const [text, setText] = useUrlParameter("q");
  const [family, setFamily] = useUrlParameter("family");
  const [provider, setProvider] = useUrlParameter("provider");
  const [hand, setHand] = useUrlParameter("own");
  const [group, setGroup] = useUrlParameter("group");
  const [sorted, setSorted] = useUrlParameter("sort");
  const [only, setOnly] = useUrlParameter("only");
  const [keys, setKeys] = useState<ReadonlySet<string> | null>(null);
  const [toggled, setToggled] = useState(NO_GROUPS);

  const arrangement = useMemo<Arrangement>(
    () => ({
      text: text.trim(),
      family,
      provider,
      setByHand: hand === "yes",
      keys: only === "" ? null : keys,
      groupBy: group === "model" || group === "none" ? group : "project",
      sort: readSort(sorted),
      toggled,
    }),
    [text, family, provider, hand, only, keys, group, sorted, toggled],
  );
  const toggleGroup = useCallback(
    (key: string) =>
      setToggled((before) => {
        const next = new Set(before);
        if (!next.delete(key)) next.add(key);
        return next;
      }),
    [],
  );
  return {
    arrangement,
    only: only as "" | "near" | "changed",
    setText,
    setFamily,
    setProvider,
    setSetByHand: (isOn: boolean) => setHand(isOn ? "yes" : ""),
    setGroupBy: (next: GroupBy) => setGroup(next === "project" ? "" : next),
    setSort: (next: Arrangement["sort"]) =>
      setSorted(next ? `${next.isDescending ? "-" : ""}${next.column}` : ""),
    /** Shows only these rows, as they are now: live figures never take one away. */
    showOnly: (next: "" | "near" | "changed", shown: ReadonlySet<string> | null) => {
      setKeys(shown);
      setOnly(next);
    },
    toggleGroup,
    clear: () => {
      for (const reset of [setText, setFamily, setProvider, setHand, setOnly]) reset("");
    },
  };
}

function readSort(text: string): Arrangement["sort"] {
  const [, minus, column] = /^(-?)([0-5])$/.exec(text) ?? [];
  return column === undefined ? null : { column: Number(column), isDescending: minus === "-" };
}

/** With more pairs than this, they are arranged in slices. */
const AT_ONCE = 3_000;

/** The rows to show. Those before stay until many pairs are arranged anew, and with them what is being typed. */
export function useGridItems(pairs: readonly LimitPair[], arrangement: Arrangement): readonly GridItem[] {
  const isMany = pairs.length > AT_ONCE;
  const few = useMemo(
    () => (isMany ? null : finish(arrangePairs(pairs, arrangement))),
    [isMany, pairs, arrangement],
  );
  const [shown, setShown] = useState<readonly GridItem[]>(few ?? []);
  if (few && few !== shown) setShown(few);
  useEffect(
    () => (isMany ? runInSlices(arrangePairs(pairs, arrangement), setShown) : undefined),
    [isMany, pairs, arrangement],
  );
  return few ?? shown;
}

const PHONE = "(max-width: 639px)";

/** True where the window is too narrow for columns. False on the server. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(follow, matchesPhone, () => false);
}

function follow(listener: () => void): () => void {
  const query = window.matchMedia(PHONE);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

const matchesPhone = () => window.matchMedia(PHONE).matches;
