"use client";

import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import { classNames } from "../../ui/class-names";
import { Page } from "../../ui/page";
import { PageHeadSkeleton, TableSkeleton } from "../../ui/states/skeleton";
import { usePendingPath } from "./pending-screen";

/** A screen that comes faster shows no skeleton. */
const DELAY_MS = 100;

/** The screen; a skeleton while another was asked for. The screen before keeps what is typed until that one comes. */
export function ScreenFrame({ children }: { children: ReactNode }) {
  const pathname = usePathname();
  const pending = usePendingPath();
  const isAwaited = useIsAwaited(pending === pathname ? null : pending);
  return (
    <>
      <div className={classNames(isAwaited ? "hidden" : "contents")}>{children}</div>
      {isAwaited && (
        <Page>
          <PageHeadSkeleton />
          <TableSkeleton rows={12} columns={6} />
        </Page>
      )}
    </>
  );
}

/** Returns true once a screen has been awaited for `DELAY_MS`. */
function useIsAwaited(path: string | null): boolean {
  const [late, setLate] = useState<string | null>(null);
  useEffect(() => {
    if (path === null) return;
    const timer = setTimeout(() => setLate(path), DELAY_MS);
    return () => {
      clearTimeout(timer);
      setLate(null);
    };
  }, [path]);
  return path !== null && late === path;
}
