"use client";

import { PanelLeftClose } from "lucide-react";
import { type ReactNode, useId } from "react";
import { IconButton } from "@/components/ui/icon-button";
import type { OrganizationModel } from "@/lib/contract/operations/models";
import { findOtherFamily } from "../media/media-fields";
import { findSettings, type Workbench } from "../panes/pane";
import type { WorkbenchStore } from "../panes/workbench-store";
import type { Faults, SettingName } from "./settings";
import { SettingsPanel } from "./settings-panel";

type RailProps = {
  workbench: Workbench;
  store: WorkbenchStore;
  /** The id of the pane whose settings are shown; null for the shared settings. */
  shownPane: string | null;
  showPane: (id: string | null) => void;
  faults: Faults;
  fold: () => void;
  /** The control that selects the key or role for calls; null if there is none. */
  runAs: ReactNode;
  /** The cases of the open prompt; null if none is open. */
  cases: ReactNode;
  models: readonly OrganizationModel[] | null;
};

/** The settings of all calls, at the side of the panes. */
export function Rail(props: RailProps) {
  const { workbench, store, shownPane, showPane, faults, fold, runAs, cases, models } = props;
  const id = useId();
  const pane = workbench.panes.find((one) => one.id === shownPane && one.own) ?? null;
  const settings = pane ? findSettings(workbench, pane) : workbench.shared;
  const owners = workbench.panes.filter(({ own }) => own);
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
        <p className="text-lg font-semibold">Settings</p>
        <span className="max-lg:hidden">
          <IconButton label="Fold the settings" icon={<PanelLeftClose />} onClick={fold} />
        </span>
      </div>
      {isForChat && owners.length > 0 && (
        <div className="grid gap-1.5">
          <label htmlFor={id} className="text-sm font-medium">
            Settings of
          </label>
          <select
            id={id}
            value={pane?.id ?? ""}
            onChange={(event) => showPane(event.target.value || null)}
            className="field h-8 text-sm pointer-coarse:h-11"
          >
            <option value="">
              {owners.length === workbench.panes.length ? "New panes" : "All other panes"}
            </option>
            {workbench.panes.map(
              (one, index) =>
                one.own && (
                  <option key={one.id} value={one.id}>
                    Pane {index + 1}: {one.model}
                  </option>
                ),
            )}
          </select>
        </div>
      )}
      {runAs}
      {isForChat ? (
        <SettingsPanel key={pane?.id ?? ""} {...{ settings, faults, change }} />
      ) : (
        <p className="text-sm text-muted">
          {workbench.panes.length === 1
            ? "The settings of this model are in its pane."
            : "The settings of these models are in their panes."}
        </p>
      )}
      {cases}
    </section>
  );
}
