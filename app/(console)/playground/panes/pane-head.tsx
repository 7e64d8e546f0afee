"use client";

import { Coins, Ellipsis, type LucideIcon, SlidersHorizontal, Square, TextQuote, Zap } from "lucide-react";
import { SandboxMark } from "@/app/(console)/playground/messages/answer";
import { listRecentModels } from "@/app/(console)/playground/model-picker/list-models";
import { ModelSelect } from "@/app/(console)/playground/model-picker/model-select";
import { findOtherFamily } from "@/components/playground/media/media-fields";
import type { CallState } from "@/components/playground/messages/message";
import { isPaneRunning, newLocalId, type Pane } from "@/components/playground/panes/pane";
import { findSettings, MAX_PANES } from "@/components/playground/workbench";
import type { WorkbenchStore } from "@/components/playground/workbench-store";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Menu } from "@/components/ui/menu/menu";
import { Tooltip } from "@/components/ui/tooltip";
import type { VariableValues } from "@/lib/contract/calls/prompt-variables";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { groupByQuestion } from "./refused-pane";

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

const awardIcons: Readonly<Record<Award, LucideIcon>> = { Cheapest: Coins, Fastest: Zap, Longest: TextQuote };

/** A pane's model, how its last answer compares to the others', and actions on the pane. */
export function PaneHead(props: PaneHeadProps) {
  const { pane, store, models, awards, isModelMissing } = props;
  const failure = nameFailure(pane.messages.at(-1)?.call);
  return (
    <header className="@container flex min-h-11 shrink-0 items-start gap-1.5 border-b px-2 py-1.5 pointer-coarse:min-h-13">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-1.5">
        <ModelSelect
          models={models}
          value={pane.model}
          isInvalid={isModelMissing}
          change={(model) => store.changePane(pane.id, (one) => ({ ...one, model }))}
          listRecent={() => listRecentModels(store.workbench.panes)}
        />
        {models?.find(({ id }) => id === pane.model)?.sandbox && <SandboxMark />}
        {awards.map((award) => (
          <Mark
            key={award}
            icon={awardIcons[award]}
            isOnly={awards.length === 1}
            hint={`${award} of these answers`}
            className="bg-success-soft text-success"
          >
            {award}
          </Mark>
        ))}
        {failure && <Mark className="bg-danger-soft text-danger">{failure}</Mark>}
        {pane.own && (
          <Mark
            icon={SlidersHorizontal}
            hint="It has settings apart from the other panes"
            className="bg-default text-muted"
          >
            Own settings
          </Mark>
        )}
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

type MarkProps = {
  /** Shown instead of the words where the pane is narrow. */
  icon?: LucideIcon;
  /** Shows the words in a narrower pane, too. */
  isOnly?: boolean;
  hint?: string;
  className: string;
  children: string;
};

function Mark({ icon: Icon, isOnly = false, hint, className, children }: MarkProps) {
  const mark = (
    <span
      className={classNames(
        "inline-flex h-6 min-w-6 shrink-0 items-center justify-center rounded-sm text-xs font-medium",
        !Icon ? "px-1.5" : isOnly ? "@[17.5rem]:px-1.5" : "@sm:px-1.5",
        className,
      )}
    >
      {Icon && (
        <Icon aria-hidden className={classNames("size-3.5", isOnly ? "@[17.5rem]:hidden" : "@sm:hidden")} />
      )}
      <span className={Icon && (isOnly ? "@max-[17.5rem]:sr-only" : "@max-sm:sr-only")}>{children}</span>
    </span>
  );
  return hint ? (
    <Tooltip content={hint} repeatsName>
      {mark}
    </Tooltip>
  ) : (
    mark
  );
}

function PaneMenu({ pane, store, models, isAlone, showSettings }: PaneHeadProps) {
  const { id, own } = pane;
  const isChat = !findOtherFamily(models?.find((model) => model.id === pane.model));
  const setOwn = () => {
    store.changePane(id, (one) => ({ ...one, own: own ? null : findSettings(store.workbench, one) }));
    showSettings(id);
  };
  const duplicate = () =>
    store.change((workbench) => ({
      ...workbench,
      panes: workbench.panes.flatMap((one) => (one.id === id ? [one, { ...one, id: newLocalId() }] : [one])),
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

export type Award = "Cheapest" | "Fastest" | "Longest";

/** Compares the panes' last answers once two or more have answered the same. A tie gives no award. */
export function computeAwards(
  panes: readonly Pane[],
  values: VariableValues,
): ReadonlyMap<string, readonly Award[]> {
  const awards = new Map<string, Award[]>();
  if (groupByQuestion(panes, values).length > 1) return awards;
  const ended = panes.flatMap(({ id, messages }) => {
    const call = messages.at(-1)?.call;
    return call?.state === "finished" ? [{ id, call }] : [];
  });
  if (ended.length < 2) return awards;
  const give = (award: Award, measure: (one: (typeof ended)[number]) => number | null) => {
    const measured = ended.map((one) => ({ id: one.id, value: measure(one) }));
    if (measured.some(({ value }) => value === null)) return;
    const [first, second] = measured.toSorted((a, b) => (a.value ?? 0) - (b.value ?? 0));
    if (!first || first.value === second?.value) return;
    awards.set(first.id, [...(awards.get(first.id) ?? []), award]);
  };
  give("Cheapest", ({ call }) => (call.charge ? Number(call.charge.amount) : null));
  give("Fastest", ({ call }) => call.totalMs);
  give("Longest", ({ call }) => (call.usage ? -call.usage.completionTokens : null));
  return awards;
}

/** Returns null for a call without a problem. Where no check refused it, its provider failed, or nothing answered. */
export function nameFailure(call: Pick<CallState, "state" | "problem"> | undefined): string | null {
  if (call?.state === "broken") return "Broken off";
  if (call?.state !== "refused") return null;
  return call.problem?.code === "failed" || call.problem?.code === "unreachable" ? "Failed" : "Refused";
}
