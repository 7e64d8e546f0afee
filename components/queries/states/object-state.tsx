"use client";

import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { isAnythingUnsaved } from "@/components/ui/dialog/unsaved";
import { ObjectGone } from "@/components/ui/drafts/object-gone";
import { Page, PageHead } from "@/components/ui/page";
import type { ProblemError } from "@/lib/console/gateway/problem";
import { useIsGatewayDown } from "./gateway-down";
import { NotLoaded, ProblemState } from "./problem-state";

type ObjectStateProps<Found> = {
  /** The read that has the object, alone or in a list. */
  read: { data: unknown; error: ProblemError | null; isFetching: boolean; refetch: () => unknown };
  /** The object in the read's data. */
  object: Found | undefined;
  /** What the person wants to do, after "to": "show the role". */
  to: string;
  /** A placeholder in the shape of the page. */
  skeleton: ReactNode;
  /** Shown if the object doesn't exist. */
  unknown: ReactNode;
  /** Renders the object's page, with `<StaleNotice>` below its head. */
  children: (object: Found) => ReactNode;
};

/** The page of an object in all its states: loading, refused or failed, unknown, or shown. */
export function ObjectState<Found>({
  read,
  object,
  to,
  skeleton,
  unknown,
  children,
}: ObjectStateProps<Found>) {
  const { data, error, isFetching, refetch } = read;
  const isGatewayDown = useIsGatewayDown(error?.problem);
  const isNotFound = error?.problem.code === "not_found";
  const isGone = isNotFound || (data !== undefined && object === undefined);
  // A read of the object alone keeps it after one that finds it deleted.
  const { shown, release } = useLastWhileUnsaved(isNotFound ? undefined : object, isGone);
  if (shown !== undefined) return <ObjectGone value={{ isGone, release }}>{children(shown)}</ObjectGone>;
  if (isNotFound) return unknown;
  // A running read may bring an object that was only just created.
  if (isFetching) return skeleton;
  if (isGatewayDown) {
    return (
      <Page>
        <PageHead title={`Could not ${to}`} />
        <NotLoaded />
      </Page>
    );
  }
  if (error) {
    return (
      <Page>
        <ProblemState level={1} problem={error.problem} to={to} retry={() => void refetch()} />
      </Page>
    );
  }
  return data === undefined ? skeleton : unknown;
}

/**
 * Returns the object, or the last one after it was deleted while something typed about it is unsaved; `release` lets go
 * of that one if nothing is unsaved any more.
 */
function useLastWhileUnsaved<Found>(object: Found | undefined, isGone: boolean) {
  const [last, setLast] = useState(object);
  const next = object ?? (isGone ? last : undefined);
  if (next !== last) setLast(next);
  const isOver = object === undefined && next !== undefined;
  const release = () => {
    if (isOver && !isAnythingUnsaved()) setLast(undefined);
  };
  const releaseLater = useEffectEvent(release);
  useEffect(() => {
    if (!isOver) return;
    const timer = setTimeout(() => releaseLater());
    return () => clearTimeout(timer);
  }, [isOver]);
  return { shown: next, release };
}
