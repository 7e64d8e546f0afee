"use client";

import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import type { ShellData } from "@/components/shell/shell-data";
import { classNames } from "@/components/ui/class-names";
import { Page } from "@/components/ui/page";
import { RefusedState } from "@/components/ui/states/refused-state";
import { PageHeadSkeleton, TableSkeleton } from "@/components/ui/states/skeleton";
import { findProjectIn } from "@/lib/console/paths";
import { findScreen } from "./find-screen";
import { usePendingPath } from "./pending-screen";
import { isLocked } from "./screen";

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

type ScreenGateProps = Pick<ShellData, "permissions"> & { children: ReactNode };

/**
 * Shows one refusal for a screen that the person can't see at all, not one per section. The gateway enforces the
 * permission.
 */
export function ScreenGate({ permissions, children }: ScreenGateProps) {
  const pathname = usePathname();
  const place = findScreen(pathname);
  const screen = place?.screen;
  if (screen?.decidesBelow && pathname !== place?.href) return children;
  // What is shown of a project may be given in that project.
  const asked =
    screen && (findProjectIn(pathname) === undefined ? screen : { ...screen, scope: "project" as const });
  if (!permissions || !screen?.permissions || !asked || !isLocked(asked, permissions)) return children;
  return (
    <Page>
      <RefusedState level={1} to={screen.purpose ?? "see this"} permissions={screen.permissions} />
    </Page>
  );
}
