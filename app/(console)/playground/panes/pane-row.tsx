"use client";

import { Fragment, type KeyboardEvent, type PointerEvent, useRef } from "react";
import type { PlaygroundRights } from "@/app/(console)/playground/playground-frame";
import { readValues } from "@/components/playground/variables/fill-workbench";
import type { Workbench } from "@/components/playground/workbench";
import type { WorkbenchStore } from "@/components/playground/workbench-store";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { computeAwards } from "./pane-head";
import { PaneView } from "./pane-view";

type PaneRowProps = {
  workbench: Workbench;
  store: WorkbenchStore;
  models: readonly OrganizationModel[] | null;
  rights: PlaygroundRights;
  /** The pane shown on a phone, which has room for only one. */
  shownId: string;
  /** The pane whose model isn't set. */
  modelMissingIn: string | null;
  showSettings: (paneId: string) => void;
};

const NO_AWARDS: readonly never[] = [];

/** The panes side by side, with dividers between them. */
export function PaneRow({ workbench, store, shownId, modelMissingIn, ...shared }: PaneRowProps) {
  const row = useRef<HTMLDivElement>(null);
  const { panes } = workbench;
  const awards = computeAwards(panes, readValues(workbench));
  return (
    <div ref={row} className="flex min-h-0 flex-1 overflow-x-auto">
      {panes.map((pane, index) => (
        <Fragment key={pane.id}>
          {index > 0 && (
            <Divider
              label={`Width of pane ${index}`}
              percent={computeShare(panes, index)}
              moveBy={(pixels) =>
                store.change((before) => resizePane(before, index, pixels / (row.current?.clientWidth ?? 1)))
              }
            />
          )}
          <PaneView
            {...{ pane, store, ...shared }}
            awards={awards.get(pane.id) ?? NO_AWARDS}
            number={index + 1}
            isAlone={panes.length === 1}
            isShown={pane.id === shownId}
            isModelMissing={modelMissingIn === pane.id}
            values={readValues(workbench)}
          />
        </Fragment>
      ))}
    </div>
  );
}

function computeShare(panes: readonly { width: number }[], index: number): number {
  const before = panes[index - 1]?.width ?? 1;
  return (before / (before + (panes[index]?.width ?? 1))) * 100;
}

type DividerProps = {
  /** The part that it resizes. */
  label: string;
  /** The share of the available space taken by the part before it, in percent. */
  percent: number;
  /** Moves the divider to the right by the given pixels. */
  moveBy: (pixels: number) => void;
};

const STEP_PX = 32;

/** A divider between two parts. Moved by dragging or with the arrow keys. */
export function Divider({ label, percent, moveBy }: DividerProps) {
  const lastX = useRef<number | null>(null);

  function begin(event: PointerEvent<HTMLElement>) {
    lastX.current = event.clientX;
    event.currentTarget.setPointerCapture(event.pointerId);
  }
  function drag(event: PointerEvent) {
    if (lastX.current === null) return;
    moveBy(event.clientX - lastX.current);
    lastX.current = event.clientX;
  }
  function end() {
    lastX.current = null;
  }
  function moveByKey(event: KeyboardEvent) {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!direction) return;
    event.preventDefault();
    moveBy(direction * STEP_PX);
  }

  return (
    // A movable separator is a widget, which hr is not.
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={Math.round(percent)}
      aria-valuemin={0}
      aria-valuemax={100}
      onPointerDown={begin}
      onPointerMove={drag}
      onPointerUp={end}
      onPointerCancel={end}
      onKeyDown={moveByKey}
      className="relative z-10 w-px shrink-0 cursor-col-resize touch-none bg-border outline-offset-0 before:absolute before:inset-y-0 before:-left-3 before:w-6 hover:bg-accent focus-visible:bg-accent max-lg:hidden"
    />
  );
}

const NARROWEST = 0.2;

/**
 * Moves the divider before a pane. `share` is a fraction of the total width, taken from one pane and given to the
 * other.
 */
export function resizePane(workbench: Workbench, index: number, share: number): Workbench {
  const before = workbench.panes[index - 1];
  const after = workbench.panes[index];
  if (!before || !after) return workbench;
  const total = workbench.panes.reduce((sum, { width }) => sum + width, 0);
  const moved = Math.max(NARROWEST - before.width, Math.min(after.width - NARROWEST, share * total));
  const panes = workbench.panes
    .with(index - 1, { ...before, width: before.width + moved })
    .with(index, { ...after, width: after.width - moved });
  return { ...workbench, panes };
}
