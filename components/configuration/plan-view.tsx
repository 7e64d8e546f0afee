"use client";

import { GitBranch } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { classNames } from "@/components/ui/class-names";
import { Checkbox } from "@/components/ui/fields/checkbox";
import { Notice } from "@/components/ui/notice";
import { CopyButton } from "@/components/ui/text/copy-button";
import { DateTime } from "@/components/ui/time/date-time";
import { formatCount } from "@/components/ui/values/group-digits";
import {
  describeFields,
  type FieldWords,
  nameObject,
} from "@/lib/contract/operations/configuration/change-words";
import type {
  AppliedChange,
  ConfigurationPlan,
  PlannedChange,
} from "@/lib/contract/operations/configuration/configuration";
import { type Choices, isRemoval, sourceWords, writeKept } from "./shown-plan";

type PlanChoice = {
  plan: ConfigurationPlan;
  chosen: Choices;
  choose: (id: string, isChosen: boolean) => void;
};

/** The changes of the file, and those that were made here since it was last applied. */
export function PlanView({ plan, chosen, choose }: PlanChoice) {
  const ofFile = plan.changes.filter(({ origin }) => origin === "file");
  const here = plan.changes.filter(({ origin }) => origin === "here");
  const kept = writeKept(plan, chosen);
  const words = sourceWords[plan.source];
  const row = (change: PlannedChange) => (
    <ChangeRow
      key={change.id}
      change={change}
      removed={words.removed}
      isChosen={chosen.has(change.id)}
      choose={choose}
    />
  );
  return (
    <div className="grid gap-3">
      {ofFile.length > 0 && <ChangeGroup title={words.group} rows={ofFile.map(row)} />}
      {here.length > 0 && (
        <ChangeGroup
          title="Changed here since it was last applied"
          rows={here.map(row)}
          isNear
          aside={
            kept.count > 0 && (
              <span className="flex items-center gap-1">
                Kept values belong in the file too
                <CopyButton text={kept.lines} what="kept lines" />
              </span>
            )
          }
        />
      )}
      {plan.no_counterpart.length > 0 && (
        <ChangeGroup
          title="Has no counterpart here"
          isNear
          rows={plan.no_counterpart.map(({ what, reason }) => (
            <li key={`${what} ${reason}`} className="border-t px-3.5 py-2 text-sm">
              <p className="wrap-anywhere">{what}</p>
              <p className="text-xs text-muted wrap-anywhere">{reason}</p>
            </li>
          ))}
        />
      )}
      {plan.at_start.length > 0 && (
        <Notice tone="near" title="Read only when the gateway starts with the file">
          <ul>
            {plan.at_start.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}

/** As many rows are shown at first: thousands of them take a browser long. */
const SHOWN = 200;

type GroupProps = { title: string; rows: readonly ReactNode[]; isNear?: boolean; aside?: ReactNode };

export function ChangeGroup({ title, rows, isNear = false, aside }: GroupProps) {
  const [shown, setShown] = useState(SHOWN);
  return (
    <Card flush>
      <div className="flex min-h-9 flex-wrap items-center gap-2 px-3.5 py-1.5">
        <h2 className="text-sm font-semibold">{title}</h2>
        <span
          className={classNames(
            "rounded-full px-2 text-xs",
            isNear ? "bg-warning-soft text-warning" : "bg-default text-muted",
          )}
        >
          {formatCount(rows.length)}
        </span>
        <span className="ml-auto text-xs text-muted">{aside}</span>
      </div>
      <ul>{rows.slice(0, shown)}</ul>
      {rows.length > shown && (
        <div className="border-t px-3.5 py-2">
          <Button onClick={() => setShown(shown + SHOWN * 5)}>
            Show more of {formatCount(rows.length - shown)} others
          </Button>
        </div>
      )}
    </Card>
  );
}

type RowProps = {
  change: PlannedChange;
  /** Why something is removed. */
  removed: string;
  isChosen: boolean;
  choose: PlanChoice["choose"];
};

const signs = {
  create: { sign: "+", tone: "text-success", word: "Added" },
  update: { sign: "~", tone: "text-accent", word: "Changed" },
  remove: { sign: "−", tone: "text-danger", word: "Removed" },
};

/** A change that was made between two moments. */
export function MadeChange({ change }: { change: AppliedChange }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-t px-3.5 py-2 text-sm">
      <KindSign kind={change.kind} />
      <div className="min-w-48 flex-1">
        <p className="wrap-anywhere">
          <ObjectName path={change.path} />
        </p>
        <FieldLines change={change} />
      </div>
    </li>
  );
}

function KindSign({ kind }: Pick<PlannedChange, "kind">) {
  const { sign, tone, word } = signs[kind];
  return (
    <span
      role="img"
      aria-label={word}
      className={classNames("w-4 text-center font-mono font-semibold", tone)}
    >
      {sign}
    </span>
  );
}

function ChangeRow({ change, removed, isChosen, choose }: RowProps) {
  const isHere = change.origin === "here";
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-t px-3.5 py-2 text-sm">
      {isHere ? (
        <GitBranch aria-label="Changed here" className="size-4 shrink-0 text-warning" />
      ) : (
        <KindSign kind={change.kind} />
      )}
      <div className="min-w-48 flex-1">
        <p className="wrap-anywhere">
          <ObjectName path={change.path} />
        </p>
        <FieldLines change={change}>
          {isRemoval(change) && <p>{removed}</p>}
          {change.changed_by && (
            <p>
              {change.changed_by.name}, <DateTime at={change.changed_by.at} />
            </p>
          )}
        </FieldLines>
        {change.refusal && <p className="text-xs text-danger wrap-anywhere">{change.refusal.message}</p>}
      </div>
      {isRemoval(change) ? (
        <label className="flex items-center gap-2 pointer-coarse:min-h-11">
          <Checkbox checked={isChosen} onChange={(event) => choose(change.id, event.target.checked)} />
          {change.path.length === 2 && change.path[0] === "projects" ? "Archive" : "Remove"}
        </label>
      ) : (
        isHere && <KeepOrBack change={change} isChosen={isChosen} choose={choose} />
      )}
    </li>
  );
}

export function ObjectName({ path }: { path: readonly string[] }) {
  const { what, name, inside } = nameObject(path);
  return (
    <>
      {what && `${what} `}
      <b className="font-semibold">{name}</b>
      {inside && (
        <>
          {" · "}
          <span className={path[2] === "rate_limits" ? "font-mono text-xs" : undefined}>{inside}</span>
        </>
      )}
    </>
  );
}

function FieldLines({ change, children }: { change: AppliedChange; children?: ReactNode }) {
  const { kind } = change;
  const words = kind === "remove" ? [] : describeFields(change);
  return (
    <div className="text-xs text-muted wrap-anywhere">
      {words.map((field) => (
        <p key={field.label}>
          <FieldText field={field} isCreated={kind === "create"} />
        </p>
      ))}
      {children}
    </div>
  );
}

function FieldText({ field, isCreated }: { field: FieldWords; isCreated: boolean }) {
  const { label, before, after, added, removed } = field;
  if (before !== null) {
    return (
      <>
        {label} {!isCreated && <s>{before}</s>}
        {!isCreated && " → "}
        {after}
      </>
    );
  }
  return (
    <>
      {label}
      {added.length > 0 && ` ${isCreated ? "" : "+ "}${added.join(", ")}`}
      {removed.length > 0 && <s> {removed.join(", ")}</s>}
    </>
  );
}

/** Keeps what was changed here, or takes it back to what the file says. */
function KeepOrBack({ change, isChosen, choose }: Omit<RowProps, "removed">) {
  const [field] = describeFields(change);
  const choices = [
    {
      isBack: false,
      label: change.kind === "create" ? "Keep removed" : `Keep ${field?.before ?? "as it is"}`,
    },
    {
      isBack: true,
      label: change.kind === "create" ? "Add it again" : `Back to ${field?.after ?? "the file"}`,
    },
  ];
  return (
    <fieldset className="flex max-w-full overflow-hidden rounded-md border">
      <legend className="sr-only">What was changed here</legend>
      {choices.map(({ isBack, label }) => (
        <button
          key={label}
          type="button"
          aria-pressed={isChosen === isBack}
          onClick={() => choose(change.id, isBack)}
          className={classNames(
            "min-h-8 border-r px-2.5 text-sm -outline-offset-2 last:border-r-0 pointer-coarse:min-h-11",
            isChosen === isBack
              ? "bg-default font-semibold forced-colors:outline"
              : "text-muted hover:bg-default/70",
          )}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}
