"use client";

import { FileQuestion } from "lucide-react";
import type { ReactNode } from "react";
import { ReadState, type ShownRead } from "@/components/queries/states/read-state";
import { LinkButton } from "@/components/ui/links/link-button";
import { EmptyState } from "@/components/ui/states/empty-state";
import { LoadingLabel, Skeleton } from "@/components/ui/states/skeleton";

type DetailStateProps<Found> = {
  id: string;
  read: ShownRead<Found>;
  /** Names the object in sentences: "task". */
  noun: string;
  /** The list where such objects are found, for an object that doesn't exist. */
  list: { href: string; label: string };
  /** Shown if the object doesn't exist; by default a sentence with its id. */
  missing?: ReactNode;
  children: (found: Found) => ReactNode;
};

/** Shows one object, on its page or next to its list, or the loading or error state of its read. */
export function DetailState<Found>({ id, read, noun, list, missing, children }: DetailStateProps<Found>) {
  return (
    <ReadState
      read={read}
      to={`see this ${noun}`}
      skeleton={<DetailSkeleton />}
      missing={
        <EmptyState
          icon={FileQuestion}
          title={`There is no such ${noun}`}
          action={
            <LinkButton variant="primary" href={list.href}>
              {list.label}
            </LinkButton>
          }
        >
          {missing ?? (
            <>
              No {noun} has the id <Id>{id}</Id>, or it belongs to a project that you don’t have access to.
            </>
          )}
        </EmptyState>
      }
    >
      {children}
    </ReadState>
  );
}

/** The id of a missing object. */
export function Id({ children }: { children: string }) {
  return <code className="font-mono break-all">{children}</code>;
}

export function DetailSkeleton() {
  return (
    <div className="grid gap-3">
      <LoadingLabel />
      <Skeleton className="h-6 w-28" />
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-64 w-full" />
    </div>
  );
}
