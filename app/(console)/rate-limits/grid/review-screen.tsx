"use client";

import { ArrowDown, ArrowLeft, ArrowUp, Download, Minus, X } from "lucide-react";
import { useSyncExternalStore } from "react";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { IconButton } from "@/components/ui/icon-button";
import { Notice } from "@/components/ui/notice";
import { downloadFile } from "@/components/ui/text/download-file";
import { formatCount } from "@/components/ui/values/group-digits";
import { writeCsvLine } from "@/lib/contract/write-csv";
import { countWords } from "./count-words";
import { writeLimit } from "./describe-cell";
import { useGrid } from "./grid-context";
import { type Effect, groupByEffect, type WeighedChange } from "./group-by-effect";
import { type DraftContents, giveUp, type ListedChange } from "./list-changes";
import { useSaveDraft } from "./use-save-draft";

type ReviewScreenProps = { contents: DraftContents; isWhole: boolean; back: () => void };

/** Every change of the draft, by what the last 7 days say about it, before it is saved. */
export function ReviewScreen({ contents, isWhole, back }: ReviewScreenProps) {
  const { draft, use } = useGrid();
  const known = useSyncExternalStore(use.subscribe, use.counts, use.counts);
  const { changes, faults, conflicts } = contents;
  const groups = groupByEffect(changes, use);
  const { save, isPending, problem } = useSaveDraft(draft, { done: back });
  const isReady = isWhole && changes.length > 0 && faults.length === 0 && conflicts.length === 0;
  return (
    <div data-fills-window className="flex h-[calc(100dvh-var(--above))] min-h-96 flex-col">
      <PageCrumb label="Review" />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="grid max-w-4xl gap-4 px-4 py-4 sm:px-6">
          <ReviewHead changes={changes} groups={groups} isKnown={known.isKnown} />
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
              {faults.length > 0 && `${countWords(faults.length, "cell")} not understood. `}
              {conflicts.length > 0 &&
                `${countWords(conflicts.length, "limit")} saved by somebody else meanwhile.`}
            </Notice>
          )}
          {changes.length === 0 && (
            <p className="text-muted">There is nothing to review: the draft is empty.</p>
          )}
          {effects.map(
            (effect) =>
              groups[effect].length > 0 && (
                <EffectGroup key={effect} effect={effect} changes={groups[effect]} />
              ),
          )}
        </div>
      </div>
      <footer
        data-footer
        className="flex min-h-13 shrink-0 flex-wrap items-center justify-end gap-2 border-t bg-surface px-4 py-2 sm:px-6"
      >
        <Button className="mr-auto" variant="ghost" onClick={back}>
          <ArrowLeft aria-hidden /> Back to the grid
        </Button>
        <Button variant="primary" disabled={!isReady} pending={isPending} onClick={() => save(changes)}>
          Save {countWords(changes.length, "change")}
        </Button>
      </footer>
    </div>
  );
}

const effects: readonly Effect[] = ["refuses", "lets through", "nothing"];

const looks = {
  refuses: { icon: ArrowDown, tone: "text-danger", title: "Below the peak of the last 7 days" },
  "lets through": { icon: ArrowUp, tone: "text-success", title: "Raises limits that refused calls" },
  nothing: { icon: Minus, tone: "text-muted", title: "Changes nothing for the calls of the last 7 days" },
} as const;

type HeadProps = {
  changes: readonly ListedChange[];
  groups: ReturnType<typeof groupByEffect>;
  isKnown: boolean;
};

function ReviewHead({ changes, groups, isKnown }: HeadProps) {
  return (
    <header className="flex flex-wrap items-start gap-3">
      <div className="min-w-0 flex-1">
        <h1 className="text-xl font-semibold tracking-tight">
          {isKnown ? describeEffect(groups) : `Review ${countWords(changes.length, "change")}`}
        </h1>
        <p className="text-muted">
          Compared with the most that was used, and the calls that were refused, in the last 7 days. Saved all
          or none; you can put the old limits back for 30 days.
        </p>
      </div>
      {changes.length > 0 && (
        <Button onClick={() => downloadFile("limit-changes.csv", "text/csv", writeChanges(changes))}>
          <Download aria-hidden /> CSV
        </Button>
      )}
    </header>
  );
}

function describeEffect(groups: HeadProps["groups"]): string {
  const [refuses, lets] = [groups.refuses.length, groups["lets through"].length];
  const all = refuses + lets + groups.nothing.length;
  if (refuses === 0 && lets === 0)
    return `${countWords(all, "change")}, none met by a call of the last 7 days`;
  const parts = [
    lets > 0 && `${countWords(lets, "limit")} would let more through`,
    refuses > 0 && `${refuses} would refuse more`,
  ];
  return parts.filter(Boolean).join(", ");
}

function EffectGroup({ effect, changes }: { effect: Effect; changes: readonly WeighedChange[] }) {
  const { icon: Icon, tone, title } = looks[effect];
  return (
    <section className="rounded-md border bg-surface">
      <h2 className="flex items-center gap-2 border-b px-3.5 py-2 font-semibold">
        <Icon aria-hidden className={classNames("size-4", tone)} />
        {title}
        <span className="font-normal text-muted">{countWords(changes.length, "change")}</span>
      </h2>
      <ul className="divide-y">
        {changes.map((change) => (
          <ChangeRow key={`${change.pair.key} ${change.field.name}`} change={change} effect={effect} />
        ))}
      </ul>
    </section>
  );
}

function ChangeRow({ change, effect }: { change: WeighedChange; effect: Effect }) {
  const { draft } = useGrid();
  const { pair, field, from, to, isDefault } = change;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3.5 py-2">
      <div className="min-w-48 flex-1">
        <p className="truncate">
          <b className="font-semibold">{pair.projectName}</b> ·{" "}
          <span className="font-mono text-xs">{pair.model}</span>
        </p>
        <p className="text-sm text-muted">{field.label}</p>
      </div>
      <p className="text-right tabular-nums">
        <s className="text-muted">{writeLimit(from)}</s> <span className="text-muted">→</span>{" "}
        <b className="font-semibold">{writeLimit(to)}</b>
        {isDefault && <span className="text-muted"> (default)</span>}
      </p>
      <p
        className={classNames(
          "w-36 text-right text-sm",
          effect === "nothing" ? "text-muted" : looks[effect].tone,
        )}
      >
        {describeWeight(change, effect)}
      </p>
      <IconButton
        size="small"
        label={`Take out ${field.label} of ${pair.model} in ${pair.projectName}`}
        icon={<X aria-hidden />}
        onClick={() => draft.apply(giveUp([change]))}
      />
    </li>
  );
}

function describeWeight({ peak, refused }: WeighedChange, effect: Effect): string {
  if (effect === "lets through") return `refused ${countWords(refused, "call")}`;
  return peak === null ? "not used" : `peak ${formatCount(peak)}`;
}

function writeChanges(changes: readonly ListedChange[]): string {
  const head = ["project_id", "project", "model", "field", "from", "to"];
  const rows = changes.map(({ pair, field, from, to, isDefault }) => [
    pair.projectId,
    pair.projectName,
    pair.model,
    field.name,
    from === null ? "no limit" : String(from),
    isDefault ? "default" : to === null ? "no limit" : String(to),
  ]);
  return [head, ...rows].map(writeCsvLine).join("");
}
