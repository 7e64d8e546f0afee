"use client";

import { ChartColumn, ScrollText } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useHolds } from "@/components/shell/held-permissions";
import { LinkButton } from "@/components/ui/links/link-button";
import { paths } from "@/lib/console/paths";
import { DEFAULT_RANGE } from "./usage-query";

/** The filters that calls and their sums have both, by their names in the address. */
const shared = ["project_id", "model", "provider", "api_key_id", "user_id", "range", "from", "to"] as const;

/** Returns the filters to take along. Each screen has its own usual period, so it is named. */
export function sharedFilters(find: (name: string) => string | null, usual: string): Record<string, string> {
  const chosen = Object.fromEntries(shared.flatMap((name) => (find(name) ? [[name, find(name) ?? ""]] : [])));
  return chosen.from || chosen.to || chosen.range ? chosen : { ...chosen, range: usual };
}

/** Leads from calls to what they come to, with the same filters. */
export function UsageOfThese({ usual }: { usual: string }) {
  const search = useSearchParams();
  return (
    <LinkButton href={paths.usage(sharedFilters((name) => search.get(name), usual))}>
      <ChartColumn aria-hidden />
      Show usage
    </LinkButton>
  );
}

/** Leads from usage to its calls, with the same filters, for people who may see them. */
export function RequestsOfThese() {
  const search = useSearchParams();
  const seesCalls = useHolds("api.requests.read");
  if (!seesCalls) return null;
  return (
    <LinkButton href={paths.requests(sharedFilters((name) => search.get(name), DEFAULT_RANGE))}>
      <ScrollText aria-hidden />
      Show requests
    </LinkButton>
  );
}
