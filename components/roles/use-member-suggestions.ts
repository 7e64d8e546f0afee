"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { useDebounced } from "@/components/ui/browser/use-debounced";
import { membersRead } from "./member-reads";

/** The suggestions that are shown. More typing finds the others. */
const FOUND = "50";

const SETTLE_MS = 150;

/** Returns the members to suggest for a typed name or address, whom the gateway finds among all. */
export function useMemberSuggestions(typed: string, enabled: boolean) {
  const search = useDebounced(typed.trim(), SETTLE_MS);
  const [list, parameters] = membersRead;
  const found = useRead(
    list,
    { ...parameters, limit: FOUND, ...(search !== "" && { search }) },
    { enabled, keepsPrevious: true },
  );
  return (found.data?.data ?? []).map(({ id, email, name }) => ({ id, value: email, label: name }));
}
