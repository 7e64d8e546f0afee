"use client";

import type { ReactNode } from "react";
import { Page } from "@/components/ui/page";
import type { ProblemError } from "@/lib/console/problem";
import { ProblemState } from "./problem-state";

type ObjectStateProps<Found> = {
  /** The read that brings the object, alone or in a list. */
  read: { data: unknown; error: ProblemError | null; isFetching: boolean; refetch: () => unknown };
  /** The object in what the read brought. */
  object: Found | undefined;
  /** What the person wanted, after "to": "show the role". */
  to: string;
  /** In the shape of the page. */
  skeleton: ReactNode;
  /** The page where there is no such object. */
  unknown: ReactNode;
  /** The object's page, with `<StaleNotice>` below its head. */
  children: (object: Found) => ReactNode;
};

/** The page of one object in each of its states: loading, refused or failed, unknown, or shown. */
export function ObjectState<Found>({
  read,
  object,
  to,
  skeleton,
  unknown,
  children,
}: ObjectStateProps<Found>) {
  const { data, error, isFetching, refetch } = read;
  if (object !== undefined) return children(object);
  if (error?.problem.code === "not_found") return unknown;
  // A read under way may bring an object that was made just now.
  if (isFetching) return skeleton;
  if (error) {
    return (
      <Page>
        <ProblemState problem={error.problem} to={to} retry={() => void refetch()} />
      </Page>
    );
  }
  return data === undefined ? skeleton : unknown;
}
