"use client";

import type { CSSProperties, ReactNode } from "react";
import { useIsHydrated } from "@/components/ui/browser/use-is-painted";
import { classNames } from "@/components/ui/class-names";
import { FIRST_PX } from "./settings/rail";

type PlaygroundFrameProps = {
  rail: ReactNode;
  /** Shown between the rail and the panes. */
  divider?: ReactNode;
  /** The state of the rail. While the page loads, its initial state. */
  state?: { widthPx: number; isOpen: boolean; isOpenOnPhone: boolean };
  children: ReactNode;
};

const INITIAL_STATE = { widthPx: FIRST_PX, isOpen: true, isOpenOnPhone: false };

/** Fills the space below the top bar: settings at the side (on a phone, above), everything else next to them. */
export function PlaygroundFrame({ rail, divider, state = INITIAL_STATE, children }: PlaygroundFrameProps) {
  // What the tab has stored is restored by an effect, and would replace what is entered before that.
  const isHydrated = useIsHydrated();
  return (
    <div
      data-fills-window
      data-taking-over={!isHydrated || undefined}
      className="flex h-[calc(100dvh-var(--above))] min-h-96 max-lg:flex-col"
    >
      <div
        style={{ "--rail": `${state.widthPx}px` } as CSSProperties}
        className={classNames(
          "shrink-0 overflow-y-auto max-lg:max-h-[55dvh] max-lg:border-b lg:w-(--rail)",
          !state.isOpen && "lg:hidden",
          !state.isOpenOnPhone && "max-lg:hidden",
        )}
      >
        {rail}
      </div>
      {state.isOpen && divider}
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">{children}</div>
    </div>
  );
}

/** What the person can see and do in the playground. */
export type PlaygroundRights = {
  /** True if the gateway reports the charges of calls. */
  seesCharges: boolean;
  /** True if the gateway has a ledger and the person can read it. */
  seesLedger: boolean;
  /** True if the person can read the balance. */
  seesBalance: boolean;
  canPay: boolean | null;
  /** True unless the person is known to lack the permission. */
  seesLimits: boolean;
  /** True if the gateway can run a prompt's cases and the person may. */
  runsCases: boolean;
  /** True if the gateway can save prompts and the person may. */
  savesPrompts: boolean;
  /** True if the person may make calls as the project's keys. */
  runsAsKeys: boolean;
  /** True if the person may preview calls as roles. */
  previewsAsRoles: boolean;
};
