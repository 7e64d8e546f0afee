"use client";

import { Fragment, useRef } from "react";
import { readValues } from "@/components/playground/variables/fill-workbench";
import type { Workbench } from "@/components/playground/workbench";
import type { WorkbenchStore } from "@/components/playground/workbench-store";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { PlaygroundRights } from "../playground-rights";
import { computeAwards } from "./awards";
import { Divider } from "./divider";
import { PaneView } from "./pane-view";
import { resizePane } from "./resize-pane";

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
