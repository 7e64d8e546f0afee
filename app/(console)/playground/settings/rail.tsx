"use client";

import { PanelLeftClose } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { findOtherFamily } from "@/components/playground/media/media-fields";
import type { Pane } from "@/components/playground/panes/pane";
import type { Faults, SettingName } from "@/components/playground/settings";
import { findSettings, type Workbench } from "@/components/playground/workbench";
import type { WorkbenchStore } from "@/components/playground/workbench-store";
import { IconButton } from "@/components/ui/icon-button";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { SettingsPanel } from "./settings-panel";

type RailProps = {
  workbench: Workbench;
  store: WorkbenchStore;
  /** The id of the pane whose settings are shown; null for the shared settings. */
  shownPane: string | null;
  showPane: (id: string | null) => void;
  faults: Faults;
  fold: () => void;
  /** The button that saves the call as a prompt; null if it can't be saved. */
  save: ReactNode;
  /** The fields of the variables; null if there are none. */
  variables: ReactNode;
  /** The control that selects the key or role for calls; null if there is none. */
  runAs: ReactNode;
  /** The cases of the open prompt; null if none is open. */
  cases: ReactNode;
  models: readonly OrganizationModel[] | null;
};

/** The settings of all calls, at the side of the panes. */
export function Rail(props: RailProps) {
  const { workbench, store, shownPane, showPane, faults, models } = props;
  const pane = workbench.panes.find((one) => one.id === shownPane && one.own) ?? null;
  const settings = pane ? findSettings(workbench, pane) : workbench.shared;
  const isForChat = workbench.panes.some(
    ({ model }) => !findOtherFamily(models?.find(({ id: name }) => name === model)),
  );

  function change(name: SettingName, value: string) {
    if (pane)
      store.changePane(pane.id, (one) => ({ ...one, own: { ...(one.own ?? settings), [name]: value } }));
    else store.change((before) => ({ ...before, shared: { ...before.shared, [name]: value } }));
  }

  return (
    <section aria-label="Settings" className="grid content-start gap-4 px-4 py-3">
      <div className="flex items-center justify-between gap-2">
        <p className="mr-auto text-lg font-semibold">Settings</p>
        {props.save}
        <span className="max-lg:hidden">
          <IconButton label="Hide the settings" icon={<PanelLeftClose />} onClick={props.fold} />
        </span>
      </div>
      {isForChat && <PaneChoice panes={workbench.panes} shownId={pane?.id ?? ""} showPane={showPane} />}
      {isForChat ? (
        <SettingsPanel
          key={pane?.id ?? ""}
          {...{ settings, faults, change }}
          scope={describePanes(pane, workbench)}
          variables={props.variables}
        />
      ) : (
        <p className="text-sm text-muted">
          {workbench.panes.length === 1
            ? "The settings of this model are in its pane."
            : "The settings of these models are in their panes."}
        </p>
      )}
      {!isForChat && props.variables}
      {props.runAs}
      {props.cases}
    </section>
  );
}

type PaneChoiceProps = Pick<RailProps, "showPane"> & { panes: readonly Pane[]; shownId: string };

/** Selects whose settings are shown. Nothing if no pane has its own. */
function PaneChoice({ panes, shownId, showPane }: PaneChoiceProps) {
  const id = useId();
  const owners = panes.filter(({ own }) => own);
  if (owners.length === 0) return null;
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        Settings of
      </label>
      <select
        id={id}
        value={shownId}
        onChange={(event) => showPane(event.target.value || null)}
        className="field h-8 text-sm pointer-coarse:h-11"
      >
        <option value="">{owners.length === panes.length ? "New panes" : "All other panes"}</option>
        {panes.map(
          (one, index) =>
            one.own && (
              <option key={one.id} value={one.id}>
                Pane {index + 1}: {one.model}
              </option>
            ),
        )}
      </select>
    </div>
  );
}

/** Says whose settings are shown, where there are several panes. */
function describePanes(own: { model: string } | null, { panes }: Workbench): string {
  if (own) return "this pane";
  if (panes.length === 1) return "";
  return panes.some((pane) => pane.own) ? "other panes" : "all panes";
}

const NARROWEST_PX = 220;
export const FIRST_PX = 304;
export const MAX_WIDTH_PX = 480;

export type RailState = ReturnType<typeof useRail>;

/** The settings are open at first next to the panes, but folded on a phone. */
export function useRail() {
  const [isOpen, setIsOpen] = useState(true);
  const [isOpenOnPhone, setIsOpenOnPhone] = useState(false);
  const [widthPx, setWidthPx] = useState(FIRST_PX);
  return {
    isOpen,
    isOpenOnPhone,
    widthPx,
    toggle: () => setIsOpen((before) => !before),
    toggleOnPhone: () => setIsOpenOnPhone((before) => !before),
    resize: (pixels: number) =>
      setWidthPx((before) => Math.min(MAX_WIDTH_PX, Math.max(NARROWEST_PX, before + pixels))),
    unfold: () => {
      setIsOpen(true);
      setIsOpenOnPhone(true);
    },
  };
}
