"use client";

import { Layers, ShieldCheck } from "lucide-react";
import { useMemo, useState, useSyncExternalStore } from "react";
import { useRead } from "@/components/queries/reads/use-read";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { ChoiceSelect, needsSearch } from "@/components/ui/fields/choice-select";
import { SearchBox } from "@/components/ui/search-box";
import { formatCount } from "@/components/ui/values/group-digits";
import type { LimitPlanObject } from "@/lib/contract/operations/models/rate-limit-plans";
import type { GroupBy } from "./arrange-pairs";
import { type UseShown, useGrid } from "./grid-context";
import { waitingDrafts } from "./grid-reads";
import type { LimitPair } from "./limit-pair";
import type { useArrangement } from "./use-arrangement";

type GridToolbarProps = {
  pairs: readonly LimitPair[];
  view: ReturnType<typeof useArrangement>;
  useShown: UseShown;
  setUseShown: (shown: UseShown) => void;
  showsProjects: boolean;
};

/** The filters of the grid, with how many rows each would leave. */
export function GridToolbar({ pairs, view, useShown, setUseShown, showsProjects }: GridToolbarProps) {
  const { draft, use } = useGrid();
  const draftCounts = useSyncExternalStore(draft.subscribe, draft.counts, draft.counts);
  const useCounts = useSyncExternalStore(use.subscribe, use.counts, use.counts);
  const { arrangement, only } = view;
  const { families, providers, setByHand } = useMemo(() => sumUp(pairs), [pairs]);
  return (
    <div role="search" className="flex flex-wrap items-center gap-2 px-4 pb-3 sm:px-6">
      <div className="w-53 max-sm:w-full">
        <SearchBox
          label={showsProjects ? "Project or model" : "Search models"}
          text={arrangement.text}
          setText={view.setText}
        />
      </div>
      <Choice
        label="Family"
        value={arrangement.family}
        all="any"
        options={families}
        choose={view.setFamily}
      />
      <Choice
        label="Provider"
        value={arrangement.provider}
        all="any"
        options={providers}
        choose={view.setProvider}
      />
      <Chip
        label="Above 80 %"
        count={useCounts.near + useCounts.usedUp}
        tone="near"
        isOn={only === "near"}
        toggle={() =>
          only === "near" ? view.showOnly("", null) : view.showOnly("near", use.nearPairs(useShown))
        }
      />
      <Chip
        label="Set by hand"
        count={setByHand}
        isOn={arrangement.setByHand}
        toggle={() => view.setSetByHand(!arrangement.setByHand)}
      />
      <Chip
        label="Changed"
        count={draftCounts.changes}
        tone="changed"
        isOn={only === "changed"}
        toggle={() =>
          only === "changed"
            ? view.showOnly("", null)
            : view.showOnly("changed", new Set(draft.rows().keys()))
        }
      />
      <span className="ml-auto flex flex-wrap items-center gap-2">
        <UseSwitch useShown={useShown} setUseShown={setUseShown} />
        {showsProjects && <GroupChoice groupBy={arrangement.groupBy} choose={view.setGroupBy} />}
      </span>
    </div>
  );
}

/** What the filters offer, in one pass over what may be 100,000 pairs. */
function sumUp(pairs: readonly LimitPair[]) {
  const families = new Set<string>();
  const providers = new Set<string>();
  let setByHand = 0;
  for (const pair of pairs) {
    if (pair.family) families.add(pair.family);
    for (const provider of pair.providers) providers.add(provider);
    if (pair.ownFields.length > 0) setByHand++;
  }
  return { families: [...families].toSorted(), providers: [...providers].toSorted(), setByHand };
}

type ChoiceProps = {
  label: string;
  value: string;
  all: string;
  options: readonly string[];
  choose: (value: string) => void;
};

function Choice({ label, value, all, options, choose }: ChoiceProps) {
  if (options.length < 2 && value === "") return null;
  const entries = options.map((option) => ({ value: option, label: option }));
  if (needsSearch(entries, undefined))
    return (
      <ChoiceSelect
        label={label}
        value={value}
        nothing={`${label}: ${all}`}
        options={entries}
        choose={choose}
        className="h-8 text-sm"
      />
    );
  return (
    <label className="field flex h-8 w-auto items-center pr-0 text-sm pointer-coarse:h-11">
      {label}
      <select
        className="h-full max-w-40 field-sizing-content bg-transparent px-1 font-semibold"
        value={value}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">{all}</option>
        {!options.includes(value) && value !== "" && <option>{value}</option>}
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </label>
  );
}

const countTones = {
  plain: "bg-default text-muted",
  near: "bg-warning-soft text-warning",
  changed: "bg-accent/12 text-accent-text",
};

type ChipProps = {
  label: string;
  count: number;
  tone?: keyof typeof countTones;
  isOn: boolean;
  toggle: () => void;
};

function Chip({ label, count, tone = "plain", isOn, toggle }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={toggle}
      className={classNames(
        "flex h-8 items-center gap-1.5 rounded-md border px-2.5 text-sm hover:bg-default pointer-coarse:h-11",
        isOn ? "border-accent bg-accent/10 font-medium" : "border-field-border bg-surface",
      )}
    >
      {label}
      <span className={classNames("rounded-full px-1.5 text-xs", countTones[count > 0 ? tone : "plain"])}>
        {formatCount(count)}
      </span>
    </button>
  );
}

const usesShown: readonly { value: UseShown; label: string }[] = [
  { value: "now", label: "Used now" },
  { value: "peak", label: "Peak of 7 days" },
];

function UseSwitch({ useShown, setUseShown }: Pick<GridToolbarProps, "useShown" | "setUseShown">) {
  return (
    <fieldset className="flex h-8 items-center rounded-md border border-field-border p-0.5 text-sm pointer-coarse:h-11">
      <legend className="sr-only">What the bars show</legend>
      {usesShown.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-pressed={useShown === value}
          onClick={() => setUseShown(value)}
          className={classNames(
            "h-full rounded-sm px-2",
            useShown === value ? "bg-default font-medium" : "text-muted hover:text-foreground",
          )}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}

function GroupChoice({ groupBy, choose }: { groupBy: GroupBy; choose: (groupBy: GroupBy) => void }) {
  return (
    <label className="field flex h-8 w-auto items-center pr-0 text-sm pointer-coarse:h-11">
      Group by
      <select
        className="h-full field-sizing-content bg-transparent px-1 font-semibold"
        value={groupBy}
        onChange={(event) => choose(event.target.value as GroupBy)}
      >
        <option value="project">project</option>
        <option value="model">model</option>
        <option value="none">nothing</option>
      </select>
    </label>
  );
}

const PlansDialog = loadOnClient(() => import("./plans-dialog").then((file) => file.PlansDialog));
const ApprovalsDialog = loadOnClient(() => import("./approvals-dialog").then((file) => file.ApprovalsDialog));

/** A button that opens the plans. */
export function PlansButton({ plans }: { plans: readonly LimitPlanObject[] }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        onClick={() => setIsOpen(true)}
        onPointerEnter={PlansDialog.preload}
        onFocus={PlansDialog.preload}
      >
        <Layers aria-hidden />
        Plans
      </Button>
      {isOpen && <PlansDialog plans={plans} close={() => setIsOpen(false)} />}
    </>
  );
}

/** A button that opens the drafts that wait for a second person, with their number. */
export function ApprovalsButton() {
  const [isOpen, setIsOpen] = useState(false);
  const waiting = useRead(...waitingDrafts);
  const count = waiting.data?.data.length ?? 0;
  const { preload } = ApprovalsDialog;
  return (
    <>
      <Button onClick={() => setIsOpen(true)} onPointerEnter={preload} onFocus={preload}>
        <ShieldCheck aria-hidden />
        Approvals
        {count > 0 && (
          <span className="rounded-full bg-warning-soft px-1.5 text-xs text-warning">
            {formatCount(count)}
          </span>
        )}
      </Button>
      {isOpen && <ApprovalsDialog close={() => setIsOpen(false)} />}
    </>
  );
}
