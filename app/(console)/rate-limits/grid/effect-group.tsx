"use client";

import { ArrowDown, ArrowUp, ChevronDown, ChevronRight, Minus, X } from "lucide-react";
import { useState } from "react";
import { limitFields } from "@/components/rate-limits/limit-fields";
import { ApiName } from "@/components/ui/api-name";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { IconButton } from "@/components/ui/icon-button";
import { ConsoleLink } from "@/components/ui/links/console-link";
import { ClockTime } from "@/components/ui/time/clock-time";
import { countNouns, formatCount } from "@/components/ui/values/group-digits";
import { paths } from "@/lib/console/paths";
import type { ReplayedChange } from "@/lib/contract/operations/models/rate-limit-replay";
import { useGrid } from "./grid-context";
import { writeLimit } from "./limit-cell";
import { type LimitPair, nameModel } from "./limit-pair";
import { type Effect, giveUp, type ListedChange, type ReviewedPair } from "./list-changes";
import { planSet } from "./plan-edits";
import { writeDifference } from "./use-replay";

const looks = {
  refuses: { icon: ArrowDown, tone: "text-danger", title: "Refuses more" },
  "lets through": { icon: ArrowUp, tone: "text-success", title: "Lets more through" },
  nothing: { icon: Minus, tone: "text-muted", title: "No effect in this period" },
} as const;

/** As many rows as are listed at first. */
const FIRST = 200;

type EffectGroupProps = {
  effect: Effect;
  pairs: readonly ReviewedPair[];
  /** False while it isn't known what the changes do. */
  isReplayed: boolean;
};

/** The pairs whose changes would have had one effect. */
export function EffectGroup({ effect, pairs, isReplayed }: EffectGroupProps) {
  const { icon: Icon, tone, title } = looks[effect];
  const [showsAll, setShowsAll] = useState(false);
  const changes = pairs.reduce((sum, pair) => sum + pair.changes.length, 0);
  return (
    <section className="rounded-md border bg-surface">
      <h2 className="flex items-center gap-2 border-b px-3.5 py-2 font-semibold">
        {isReplayed && <Icon aria-hidden className={classNames("size-4", tone)} />}
        {isReplayed ? title : "Changes"}
        <span className="font-normal text-muted">{countNouns(changes, "change")}</span>
      </h2>
      <ul className="divide-y">
        {(showsAll ? pairs : pairs.slice(0, FIRST)).map((reviewed) => (
          <PairReview key={reviewed.pair.key} reviewed={reviewed} tone={tone} />
        ))}
      </ul>
      {!showsAll && pairs.length > FIRST && (
        <button
          type="button"
          className="w-full border-t px-3.5 py-2 text-accent-text"
          onClick={() => setShowsAll(true)}
        >
          Show all {countNouns(pairs.length, "row")}
        </button>
      )}
    </section>
  );
}

function PairReview({ reviewed, tone }: { reviewed: ReviewedPair; tone: string }) {
  const { pair, changes, replayed } = reviewed;
  const [isOpen, setIsOpen] = useState(false);
  const hasMore = replayed !== null && replayed.newly_refused + replayed.newly_let_through > 0;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <li>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-1 px-3.5 py-2">
        <p className="min-w-40 flex-1 truncate">
          <b className="font-semibold">{pair.projectName}</b> ·{" "}
          <span className={classNames("text-xs", pair.model !== "" && "font-mono")}>{nameModel(pair)}</span>
          {replayed && pair.kind !== "project" && (
            <span className="text-muted"> · reaches {countNouns(replayed.pairs, "row")}</span>
          )}
        </p>
        <ul className="grid gap-0.5">
          {changes.map((change) => (
            <FieldChange key={change.field.name} change={change} />
          ))}
        </ul>
        <p className={classNames("w-32 text-right text-sm", hasMore ? tone : "text-muted")}>
          {replayed &&
            !hasMore &&
            (replayed.calls === 0 ? "no calls" : `none of ${countNouns(replayed.calls, "call")}`)}
          {replayed && hasMore && (
            <button
              type="button"
              aria-expanded={isOpen}
              aria-label={`${writeDifference(replayed)} calls: details of ${nameModel(pair)} in ${pair.projectName}`}
              onClick={() => setIsOpen(!isOpen)}
              className="inline-flex items-center gap-1 rounded-sm font-semibold"
            >
              {writeDifference(replayed)} <Chevron aria-hidden className="size-3.5" />
            </button>
          )}
        </p>
      </div>
      {isOpen && replayed && <ReplayDetails pair={pair} replayed={replayed} />}
    </li>
  );
}

function FieldChange({ change }: { change: ListedChange }) {
  const { draft } = useGrid();
  const { pair, field, from, to, isDefault } = change;
  return (
    <li className="flex items-center justify-end gap-3 text-sm">
      <span className="text-muted">{field.label}</span>
      <span className="tabular-nums">
        <s className="text-muted">{writeLimit(from)}</s> <span className="text-muted">→</span>{" "}
        <b className="font-semibold">{writeLimit(to)}</b>
        {isDefault && <span className="text-muted"> (default)</span>}
      </span>
      <IconButton
        size="small"
        label={`Take out ${field.label} of ${nameModel(pair)} in ${pair.projectName}`}
        icon={<X aria-hidden />}
        onClick={() => draft.apply(giveUp([change]))}
      />
    </li>
  );
}

type ReplayDetailsProps = { pair: LimitPair; replayed: ReplayedChange };

/** A pair's refusals in the replay: times, keys, the first calls, and the limit that would refuse none. */
function ReplayDetails({ pair, replayed }: ReplayDetailsProps) {
  const { spans, keys, examples, still_refused: still } = replayed;
  return (
    <div className="grid gap-4 border-t bg-background px-3.5 py-3 text-sm sm:grid-cols-2">
      <LeastValues pair={pair} replayed={replayed} />
      {spans.length > 0 && (
        <section>
          <h3 className="mb-1 font-semibold">When</h3>
          <ul>
            {spans.map(({ from, to, calls }) => (
              <li key={from} className="flex justify-between gap-4">
                <span>
                  <ClockTime at={from} toMinute />
                  {to - from >= 60 && (
                    <>
                      {" – "}
                      <ClockTime at={to} toMinute />
                    </>
                  )}
                </span>
                <span>{formatCount(calls)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {keys.length > 0 && (
        <section>
          <h3 className="mb-1 font-semibold">Which keys</h3>
          <ul>
            {keys.map((key) => (
              <li key={key.key_id} className="flex justify-between gap-4">
                <span className="truncate">{key.key_name ?? key.key_id}</span>
                <span>{writeDifference(key)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {examples.length > 0 && (
        <section>
          <h3 className="mb-1 font-semibold">First calls refused</h3>
          <ul>
            {examples.map(({ request_id, at, refused_by }) => (
              <li key={request_id} className="flex justify-between gap-4">
                <ConsoleLink href={paths.request(request_id)} className="text-accent-text underline">
                  <ClockTime at={at} className="font-mono text-xs" />
                </ConsoleLink>
                <span className="truncate text-muted">
                  {limitFields.find(({ name }) => name === refused_by)?.label}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {still > 0 && (
        <p className="text-muted sm:col-span-2">
          {formatCount(still)} calls that were refused then would have been refused again.
        </p>
      )}
    </div>
  );
}

/** For each limit of the draft, the least one that refuses none, with a button that takes it. */
function LeastValues({ pair, replayed }: ReplayDetailsProps) {
  const { draft, make } = useGrid();
  const fields = limitFields.flatMap((field, column) => {
    const least = replayed.least_values[field.name];
    return least === undefined ? [] : { field, column, least };
  });
  if (fields.length === 0) return null;
  return (
    <section className="sm:col-span-2">
      <h3 className="mb-1 font-semibold">The least that refuses none</h3>
      <ul className="grid gap-1.5">
        {fields.map(({ field, column, least }) => (
          <li key={field.name} className="flex flex-wrap items-center gap-3">
            <Button
              size="small"
              onClick={() => make(planSet(draft, { pairs: [pair], columns: [column] }, String(least)), "Set")}
            >
              Use {formatCount(least)}
            </Button>
            {field.label} <ApiName name={field.name} />
          </li>
        ))}
      </ul>
    </section>
  );
}
