"use client";

import { GitBranch } from "lucide-react";
import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { classNames } from "@/components/ui/class-names";
import { Checkbox } from "@/components/ui/fields/checkbox";
import { Notice } from "@/components/ui/notice";
import { CopyButton } from "@/components/ui/text/copy-button";
import { DateTime } from "@/components/ui/time/date-time";
import {
  describeFields,
  type FieldWords,
  nameObject,
} from "@/lib/contract/operations/configuration/change-words";
import type { ConfigurationPlan, PlannedChange } from "@/lib/contract/operations/configuration/configuration";
import { type Choices, isRemoval, writeKept } from "./plan-choices";

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
  const row = (change: PlannedChange) => (
    <ChangeRow key={change.id} change={change} isChosen={chosen.has(change.id)} choose={choose} />
  );
  return (
    <div className="grid gap-3">
      {ofFile.length > 0 && (
        <Group title="Changed in the file" count={ofFile.length}>
          {ofFile.map(row)}
        </Group>
      )}
      {here.length > 0 && (
        <Group
          title="Changed here since it was last applied"
          count={here.length}
          isNear
          aside={
            kept.count > 0 && (
              <span className="flex items-center gap-1">
                Kept values belong in the file too
                <CopyButton text={kept.lines} what="kept lines" />
              </span>
            )
          }
        >
          {here.map(row)}
        </Group>
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

type GroupProps = { title: string; count: number; isNear?: boolean; aside?: ReactNode; children: ReactNode };

function Group({ title, count, isNear = false, aside, children }: GroupProps) {
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
          {count}
        </span>
        <span className="ml-auto text-xs text-muted">{aside}</span>
      </div>
      <ul>{children}</ul>
    </Card>
  );
}

type RowProps = {
  change: PlannedChange;
  isChosen: boolean;
  choose: PlanChoice["choose"];
};

const signs = {
  create: { sign: "+", tone: "text-success", word: "Added" },
  update: { sign: "~", tone: "text-accent", word: "Changed" },
  remove: { sign: "−", tone: "text-danger", word: "Removed" },
};

function ChangeRow({ change, isChosen, choose }: RowProps) {
  const { sign, tone, word } = signs[change.kind];
  const isHere = change.origin === "here";
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-t px-3.5 py-2 text-sm">
      {isHere ? (
        <GitBranch aria-label="Changed here" className="size-4 shrink-0 text-warning" />
      ) : (
        <span
          role="img"
          aria-label={word}
          className={classNames("w-4 text-center font-mono font-semibold", tone)}
        >
          {sign}
        </span>
      )}
      <div className="min-w-48 flex-1">
        <p className="wrap-anywhere">
          <ObjectName path={change.path} />
        </p>
        <ChangeWords change={change} />
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

function ChangeWords({ change }: { change: PlannedChange }) {
  const { changed_by: by, kind } = change;
  const words = kind === "remove" ? [] : describeFields(change);
  return (
    <div className="text-xs text-muted wrap-anywhere">
      {words.map((field) => (
        <p key={field.label}>
          <FieldText field={field} isCreated={kind === "create"} />
        </p>
      ))}
      {kind === "remove" && <p>The file leaves it out. Past calls, charges and events stay.</p>}
      {by && (
        <p>
          {by.name}, <DateTime at={by.at} />
        </p>
      )}
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
function KeepOrBack({ change, isChosen, choose }: RowProps) {
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
