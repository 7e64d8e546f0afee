"use client";

import { ArrowLeft, Download, ShieldAlert, ShieldCheck } from "lucide-react";
import { useEffect, useState } from "react";
import { useCreate } from "@/components/queries/actions/use-create";
import { limitFields } from "@/components/rate-limits/limit-fields";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/states/skeleton";
import { downloadFile } from "@/components/ui/text/download-file";
import { formatDay } from "@/components/ui/time/describe-time";
import { useShownZone } from "@/components/ui/time/shown-time";
import { countNouns, formatCount } from "@/components/ui/values/group-digits";
import { writeCsvLine } from "@/lib/contract/csv";
import type { LimitReplay } from "@/lib/contract/operations/models/rate-limit-replay";
import { askLimitApproval } from "../actions";
import { EffectGroup } from "./effect-group";
import { useGrid } from "./grid-context";
import { approvalReads } from "./grid-reads";
import { useSaveDraft } from "./kept-draft";
import { nameModel } from "./limit-pair";
import { type DraftContents, type Effect, type ListedChange, reviewPairs, toRequest } from "./list-changes";
import { describeDifference, useReplay } from "./use-replay";

type ReviewScreenProps = { contents: DraftContents; isWhole: boolean; back: () => void };

const effects: readonly Effect[] = ["refuses", "lets through", "nothing"];

/** Every change of the draft, by what it would have done to the calls of the last days, before it is saved. */
export function ReviewScreen({ contents, isWhole, back }: ReviewScreenProps) {
  const { draft } = useGrid();
  const { changes, faults, conflicts } = contents;
  const [days, setDays] = useState(7);
  const replay = useReplay(isWhole ? changes : [], days);
  const groups = reviewPairs(changes, replay.data);
  const { save, isPending, problem } = useSaveDraft(draft, { done: back });
  const isReady = isWhole && changes.length > 0 && faults.length === 0 && conflicts.length === 0;
  return (
    <div data-fills-window className="flex h-[calc(100dvh-var(--above))] min-h-96 flex-col">
      <PageCrumb label="Review" />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="grid max-w-4xl gap-4 px-4 py-4 sm:px-6">
          <ReviewHead changes={changes} isWhole={isWhole} replay={replay} days={days} setDays={setDays} />
          {problem && (
            <Notice tone="bad" role="alert" title="Nothing was saved">
              {problem.message}
            </Notice>
          )}
          {(faults.length > 0 || conflicts.length > 0) && (
            <Notice
              tone="near"
              title="Not ready to be saved"
              actions={<Button onClick={back}>Back to the grid</Button>}
            >
              {faults.length > 0 && `${countNouns(faults.length, "cell")} not understood. `}
              {conflicts.length > 0 &&
                `${countNouns(conflicts.length, "limit")} saved by somebody else meanwhile.`}
            </Notice>
          )}
          {replay.data && <ReplayHistogram histogram={replay.data.histogram} />}
          {changes.length === 0 && (
            <p className="text-muted">There is nothing to review: the draft is empty.</p>
          )}
          {effects.map(
            (effect) =>
              groups[effect].length > 0 && (
                <EffectGroup
                  key={effect}
                  effect={effect}
                  pairs={groups[effect]}
                  isReplayed={replay.data !== undefined}
                />
              ),
          )}
          {replay.data && <p className="text-sm text-pretty text-muted">{replay.data.unknown.sentence}</p>}
        </div>
      </div>
      <footer
        data-footer
        className="flex min-h-13 shrink-0 flex-wrap items-center justify-end gap-2 border-t bg-surface px-4 py-2 sm:px-6"
      >
        <Button className="mr-auto" variant="ghost" onClick={back}>
          <ArrowLeft aria-hidden /> Back to the grid
        </Button>
        <SaveOrAsk
          changes={changes}
          replay={replay}
          isReady={isReady}
          isPending={isPending}
          save={() => save(changes)}
        />
      </footer>
    </div>
  );
}

type HeadProps = {
  changes: readonly ListedChange[];
  isWhole: boolean;
  replay: ReturnType<typeof useReplay>;
  days: number;
  setDays: (days: number) => void;
};

function ReviewHead({ changes, isWhole, replay, days, setDays }: HeadProps) {
  return (
    <header className="flex flex-wrap items-start gap-3">
      <div className="min-w-0 flex-1 max-sm:basis-full">
        <h1 className="text-xl font-semibold tracking-tight">
          {replay.data ? describeDifference(replay.data) : `Review ${countNouns(changes.length, "change")}`}
        </h1>
        <ReplayState replay={replay} hasChanges={changes.length > 0} isWhole={isWhole} />
      </div>
      <label className="field flex h-8 w-auto items-center pr-0 text-sm pointer-coarse:h-11">
        Last
        <select
          className="h-full bg-transparent px-1 font-semibold"
          value={days}
          onChange={(event) => setDays(Number(event.target.value))}
        >
          <option value={1}>day</option>
          <option value={7}>7 days</option>
          <option value={30}>30 days</option>
        </select>
      </label>
      {changes.length > 0 && (
        <Button onClick={() => downloadFile("limit-changes.csv", "text/csv", writeChanges(changes))}>
          <Download aria-hidden /> CSV
        </Button>
      )}
    </header>
  );
}

type ReplayStateProps = Pick<HeadProps, "replay" | "isWhole"> & { hasChanges: boolean };

function ReplayState({ replay, hasChanges, isWhole }: ReplayStateProps) {
  const { data, error, isFetching, refetch, stop, percent } = replay;
  if (error && !isFetching) {
    return (
      <div role="alert" className="mt-1 flex flex-wrap items-center gap-2 text-danger">
        The effect could not be computed: {error.problem.message}
        <Button size="small" onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    );
  }
  if (isFetching) return <Replaying stop={stop} percent={percent} />;
  if (!isWhole)
    return (
      <p role="status" className="text-muted">
        The other rows are still loading. The calls are replayed after that.
      </p>
    );
  if (!data)
    return hasChanges ? (
      <div role="status" className="mt-1 flex flex-wrap items-center gap-2 text-muted">
        Stopped. The effect of the draft isn’t known.
        <Button size="small" onClick={() => void refetch()}>
          Replay
        </Button>
      </div>
    ) : null;
  return (
    <p role="status" className="text-muted">
      Replayed over the {formatCount(data.calls)} calls of these rows by the gateway’s own limiter. All
      changes are saved, or none. They can be undone for 30 days.
    </p>
  );
}

/** Until this has passed, there is nothing to stop. */
const LONG_S = 2;

/** A replay under way: how long, and a way out where it takes long. */
function Replaying({ stop, percent }: { stop: () => void; percent: number | null }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((passed) => passed + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  const isLong = seconds >= LONG_S;
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-2 text-muted">
      <span role="status">Replaying the calls by the gateway’s own limiter…</span>
      {isLong ? (
        <span className="inline-flex items-center gap-2 tabular-nums">
          {percent !== null && <ReplayedShare percent={percent} />}
          {percent !== null && `${percent} % · `}
          {seconds} s
        </span>
      ) : (
        <Skeleton className="h-3.5 w-24" />
      )}
      {isLong && (
        <Button size="small" onClick={stop}>
          Stop
        </Button>
      )}
    </div>
  );
}

function ReplayedShare({ percent }: { percent: number }) {
  return (
    <span
      role="progressbar"
      aria-label="Replayed"
      aria-valuenow={percent}
      className="block h-1.5 w-28 overflow-hidden rounded-full bg-default"
    >
      <span
        className="block h-full rounded-full bg-accent forced-color-adjust-none"
        style={{ width: `${percent}%` }}
      />
    </span>
  );
}

function writeChanges(changes: readonly ListedChange[]): string {
  const head = ["project_id", "project", "model", "field", "from", "to"];
  const rows = changes.map(({ pair, field, from, to, isDefault }) => [
    pair.projectId,
    pair.projectName,
    nameModel(pair),
    field.name,
    from === null ? "no limit" : String(from),
    isDefault ? "default" : to === null ? "no limit" : String(to),
  ]);
  return [head, ...rows].map(writeCsvLine).join("");
}

const HEIGHT = 48;

/** Calls per hour that would have been let through, above the line, and refused, below it. */
function ReplayHistogram({ histogram }: Pick<LimitReplay, "histogram">) {
  const zone = useShownZone();
  const most = Math.max(...histogram.map((hour) => Math.max(hour.newly_let_through, hour.newly_refused)));
  const [first, last] = [histogram[0], histogram.at(-1)];
  if (most <= 0 || !first || !last) return null;
  const height = (count: number) => (count === 0 ? 0 : Math.max(1.5, (HEIGHT * count) / most));
  return (
    <figure className="rounded-md border bg-surface px-3.5 py-3">
      <figcaption className="mb-2 flex flex-wrap justify-between gap-x-4 text-sm">
        <span className="font-semibold">Calls per hour with another outcome</span>
        <span className="text-muted">
          <span className="text-success">↑ let through</span> <span className="text-danger">↓ refused</span>,
          at most {formatCount(most)} an hour
        </span>
      </figcaption>
      <svg
        role="img"
        aria-label={`Between ${formatDay(first.start_time, zone)} and ${formatDay(last.start_time, zone)}, at most ${formatCount(most)} calls an hour`}
        viewBox={`0 0 ${histogram.length} ${2 * HEIGHT}`}
        preserveAspectRatio="none"
        className="h-24 w-full"
      >
        <rect x={0} y={HEIGHT - 0.25} width={histogram.length} height={0.5} className="fill-border" />
        {histogram.map(({ start_time, newly_let_through: passed, newly_refused: refused }, at) => (
          <g key={start_time}>
            <rect
              x={at + 0.1}
              y={HEIGHT - height(passed)}
              width={0.8}
              height={height(passed)}
              className="fill-success"
            />
            <rect x={at + 0.1} y={HEIGHT} width={0.8} height={height(refused)} className="fill-danger" />
          </g>
        ))}
      </svg>
      <div className="flex justify-between text-xs text-muted">
        <span>{formatDay(first.start_time, zone)}</span>
        <span>{formatDay(last.start_time, zone)}</span>
      </div>
    </figure>
  );
}

type SaveOrAskProps = {
  changes: readonly ListedChange[];
  replay: ReturnType<typeof useReplay>;
  isReady: boolean;
  isPending: boolean;
  save: () => void;
};

/** Saves the draft; or asks a second person first, where a limit rises above a bound. */
function SaveOrAsk({ changes, replay, isReady, isPending, save }: SaveOrAskProps) {
  const ask = useCreate(askLimitApproval, {
    refetch: approvalReads,
    onSuccess: () => void replay.refetch(),
  });
  const approval = replay.data?.approval;
  const [first] = approval?.needed ?? [];
  const asked = approval?.draft ?? null;
  const saveButton = (
    <Button variant="primary" disabled={!isReady} pending={isPending} onClick={save}>
      Save {countNouns(changes.length, "change")}
    </Button>
  );
  if (!approval || !first) return saveButton;
  const label = limitFields.find(({ name }) => name === first.field)?.label.toLowerCase();
  const why = `Needed because a limit rises above ${formatCount(first.above)} ${label}.`;
  if (asked?.status === "approved")
    return (
      <>
        <ApprovalNote isGiven text={`${asked.decided_by?.name} approved this draft.`} why={why} />
        {saveButton}
      </>
    );
  const isWaiting = asked?.status === "pending";
  const text = isWaiting
    ? "This draft is waiting for a second person."
    : asked?.status === "declined"
      ? `${asked.decided_by?.name} declined it: ${asked.reason}`
      : "A second person must approve this draft.";
  return (
    <>
      <ApprovalNote text={ask.error?.problem.message ?? text} why={why} />
      {isWaiting ? (
        <Button pending={replay.isFetching} onClick={() => void replay.refetch()}>
          Check again
        </Button>
      ) : (
        <Button
          variant="primary"
          disabled={!isReady || replay.isFetching}
          pending={ask.isPending}
          onClick={() => ask.mutate({ changes: toRequest(changes) })}
        >
          Ask for approval
        </Button>
      )}
    </>
  );
}

function ApprovalNote({ text, why, isGiven = false }: { text: string; why: string; isGiven?: boolean }) {
  const Icon = isGiven ? ShieldCheck : ShieldAlert;
  return (
    <p role="status" className="mr-auto flex items-center gap-2 text-sm">
      <Icon aria-hidden className={isGiven ? "size-5 text-success" : "size-5 text-warning"} />
      <span>
        <b className="block font-semibold">{text}</b>
        <span className="text-muted">{why}</span>
      </span>
    </p>
  );
}
