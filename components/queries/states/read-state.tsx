"use client";

import type { ReactNode } from "react";
import { BusyContext } from "@/components/ui/states/refused-action";
import type { ProblemError } from "@/lib/console/gateway/problem";
import { useIsGatewayDown } from "./gateway-down";
import { NotLoaded, ProblemState } from "./problem-state";
import { StaleNotice } from "./stale-notice";

/** The result of `useRead` or `useReadRows`. */
export type ShownRead<Data> = {
  data: Data | undefined;
  error: ProblemError | null;
  /** Unix milliseconds. */
  dataUpdatedAt: number;
  /** True if the data answers other parameters, until the read of the present ones ends. */
  isPlaceholderData?: boolean;
  isFetching: boolean;
  refetch: () => unknown;
};

type ReadStateProps<Data> = {
  read: ShownRead<Data>;
  /** What the person wants to do, after "to": "list the keys". */
  to: string;
  /** A placeholder in the shape of the content. */
  skeleton: ReactNode;
  /** Replaces an empty list. Omit it if the list handles that itself. */
  empty?: ReactNode;
  /** Replaces an object that doesn't exist. Omit it if that can't happen. */
  missing?: ReactNode;
  children: (data: Data) => ReactNode;
};

/**
 * Shows a read in all its states: loading, failed with a retry button, missing, empty, or its data. Data of an
 * earlier read stays visible with a notice of its age; rows of another filter stay, dimmed, until the new ones have
 * come. If the gateway is down, `UnreachableNotice` says so above the page.
 */
export function ReadState<Data>({ read, to, skeleton, empty, missing, children }: ReadStateProps<Data>) {
  const { data, error, refetch, isPlaceholderData = false } = read;
  const isGatewayDown = useIsGatewayDown(error?.problem);
  if (data === undefined) {
    if (missing !== undefined && error?.problem.code === "not_found") return missing;
    if (isGatewayDown) return <NotLoaded />;
    return error ? <ProblemState problem={error.problem} to={to} retry={() => void refetch()} /> : skeleton;
  }
  if (isPlaceholderData && isWithoutRows(data)) return skeleton;
  return (
    <BusyContext value={isPlaceholderData}>
      <StaleNotice read={read} />
      {empty !== undefined && isEmpty(data) ? empty : children(data)}
    </BusyContext>
  );
}

/** Returns true for a list, or a page of one, without rows. */
export function isEmpty(data: unknown): boolean {
  const rows = Array.isArray(data) ? data : (data as { data?: unknown } | undefined)?.data;
  return Array.isArray(rows) && rows.length === 0;
}

/** Returns true if a list is known to have no rows at all, so that there is nothing to filter or to export. */
export function isWithoutAny(
  { data, isPlaceholderData }: Pick<ShownRead<unknown>, "data" | "isPlaceholderData">,
  isFiltered: boolean,
): boolean {
  return !isFiltered && !isPlaceholderData && isEmpty(data);
}

/** `isEmpty` for the data of `useReadPages`, which is a list of pages. */
function isWithoutRows(data: unknown): boolean {
  return isEmpty(data) || (Array.isArray(data) && data.every(isEmpty));
}
