"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { findProjectIn } from "@/lib/console/paths";
import { Page } from "../../ui/page";
import { RefusedState } from "../../ui/states/refused-state";
import type { ShellData } from "../shell-data";
import { findScreen } from "./find-screen";
import { isLocked } from "./screen";

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
