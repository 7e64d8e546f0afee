"use client";

import { Ellipsis, Square } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";
import type { OrganizationModel } from "@/lib/contract/operations/models";
import { otherFamilyOf } from "../media/media-fields";
import type { Award } from "./awards";
import { ModelSelect } from "./model-select";
import { isPaneRunning, isRefused, MAX_PANES, newId, type Pane, settingsOf } from "./pane";
import type { WorkbenchStore } from "./workbench-store";

type PaneHeadProps = {
  pane: Pane;
  store: WorkbenchStore;
  models: readonly OrganizationModel[] | null;
  awards: readonly Award[];
  isAlone: boolean;
  isModelMissing: boolean;
  /** Opens the settings of this pane. */
  showSettings: (paneId: string) => void;
};

/** A pane's model, how its last answer compares to the others', and actions on the pane. */
export function PaneHead(props: PaneHeadProps) {
  const { pane, store, models, awards, isModelMissing } = props;
  return (
    <header className="flex min-h-11 shrink-0 items-start gap-1.5 border-b px-2 py-1.5 pointer-coarse:min-h-13">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-1.5">
        <ModelSelect
          models={models}
          value={pane.model}
          isInvalid={isModelMissing}
          change={(model) => store.changePane(pane.id, (one) => ({ ...one, model }))}
        />
        {awards.map((award) => (
          <Mark key={award} className="bg-success-soft text-success">
            {award}
          </Mark>
        ))}
        {isRefused(pane) && <Mark className="bg-danger-soft text-danger">Refused</Mark>}
        {pane.own && <Mark className="bg-default text-muted">Own settings</Mark>}
        {isPaneRunning(pane) && !props.isAlone && (
          <Button size="small" onClick={() => store.stop(pane.id)}>
            <Square />
            Stop
          </Button>
        )}
      </div>
      <PaneMenu {...props} />
    </header>
  );
}

function Mark({ className, children }: { className: string; children: string }) {
  return (
    <span
      className={`inline-flex h-6 shrink-0 items-center rounded-sm px-1.5 text-xs font-medium ${className}`}
    >
      {children}
    </span>
  );
}

function PaneMenu({ pane, store, models, isAlone, showSettings }: PaneHeadProps) {
  const { id, own } = pane;
  const isChat = !otherFamilyOf(models?.find((model) => model.id === pane.model));
  const setOwn = () => {
    store.changePane(id, (one) => ({ ...one, own: own ? null : settingsOf(store.workbench, one) }));
    showSettings(id);
  };
  const duplicate = () =>
    store.change((workbench) => ({
      ...workbench,
      panes: workbench.panes.flatMap((one) => (one.id === id ? [one, { ...one, id: newId() }] : [one])),
    }));
  const close = () => {
    store.stop(id);
    store.change((workbench) => ({ ...workbench, panes: workbench.panes.filter((one) => one.id !== id) }));
  };
  return (
    <Menu
      label="More for this pane"
      align="end"
      trigger={<Ellipsis className="size-4" />}
      triggerClassName="inline-grid size-8 shrink-0 place-items-center rounded-md text-muted hover:bg-default hover:text-foreground pointer-coarse:size-11"
      sections={[
        {
          entries: [
            ...(isChat
              ? [
                  {
                    id: "settings",
                    label: own ? "Use the settings of all panes" : "Give this pane its own settings",
                    onSelect: setOwn,
                  },
                ]
              : []),
            {
              id: "duplicate",
              label: "Duplicate pane",
              disabled: store.workbench.panes.length >= MAX_PANES || isPaneRunning(pane),
              onSelect: duplicate,
            },
          ],
        },
        {
          entries: [
            {
              id: "clear",
              label: "Clear this conversation",
              disabled: pane.messages.length === 0,
              onSelect: () => {
                store.stop(id);
                store.changePane(id, (one) => ({ ...one, messages: [] }));
              },
            },
            { id: "close", label: "Close pane", danger: true, disabled: isAlone, onSelect: close },
          ],
        },
      ]}
    />
  );
}
