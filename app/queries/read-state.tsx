"use client";

import type { ReactNode } from "react";
import type { ProblemError } from "@/lib/console/problem";
import { ProblemState } from "./problem-state";
import { StaleNotice } from "./stale-notice";

/** A read by `useRead` or `useReadPages`. */
export type ShownRead<Data> = {
  data: Data | undefined;
  error: ProblemError | null;
  /** Unix milliseconds. */
  dataUpdatedAt: number;
  isFetching: boolean;
  refetch: () => unknown;
};

type ReadStateProps<Data> = {
  read: ShownRead<Data>;
  /** What the person wanted, after "to": "list the keys". */
  to: string;
  /** In the shape of what is shown later. */
  skeleton: ReactNode;
  /** In the place of a list without a row; left out where the list itself says that it is empty. */
  empty?: ReactNode;
  /** In the place of an object that there is none of; left out where that can't be. */
  missing?: ReactNode;
  children: (data: Data) => ReactNode;
};

/**
 * A read in each of its states: its skeleton, why there is none with a way to try again, no such object, no row yet, or what it brought.
 * Above what an earlier read brought it says since when that is old.
 */
export function ReadState<Data>({ read, to, skeleton, empty, missing, children }: ReadStateProps<Data>) {
  const { data, error, refetch } = read;
  if (data === undefined) {
    if (missing !== undefined && error?.problem.code === "not_found") return missing;
    return error ? <ProblemState problem={error.problem} to={to} retry={() => void refetch()} /> : skeleton;
  }
  return (
    <>
      <StaleNotice read={read} />
      {empty !== undefined && isEmpty(data) ? empty : children(data)}
    </>
  );
}

/** Whether it is a list, or a page of one, without a row. */
export function isEmpty(data: unknown): boolean {
  const rows = Array.isArray(data) ? data : (data as { data?: unknown } | undefined)?.data;
  return Array.isArray(rows) && rows.length === 0;
}
