"use client";

import { Redo2, Undo2 } from "lucide-react";
import { useState, useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog/confirm-dialog";
import { IconButton } from "@/components/ui/icon-button";
import { Kbd } from "@/components/ui/kbd";
import { countNouns, formatCount } from "@/components/ui/values/group-digits";
import { useGrid } from "./grid-context";
import { useSaveDraft } from "./kept-draft";
import { type LimitPair, nameModel } from "./limit-pair";
import { type DraftContents, giveUp, keepMine } from "./list-changes";
import { describeEffect, effectTone, MOST_CHANGES, useEffectOf } from "./use-replay";

type GridFooterProps = {
  contents: DraftContents;
  /** False while rows are still being read: a draft is then not known whole. */
  isWhole: boolean;
  review: () => void;
};

/** What is in the draft, and what can be done with it. */
export function GridFooter({ contents, isWhole, review }: GridFooterProps) {
  const { draft } = useGrid();
  const { changes, faults, conflicts, lost } = contents;
  const { save, isPending, problem } = useSaveDraft(draft);
  const [isDiscarding, setIsDiscarding] = useState(false);
  const isEmpty = changes.length === 0 && faults.length === 0 && lost === 0;
  const isReady = isWhole && changes.length > 0 && faults.length === 0 && conflicts.length === 0;

  return (
    <div data-footer className="shrink-0 border-t bg-surface text-sm">
      {problem && (
        <p role="alert" className="border-b bg-danger-soft px-6 py-2 text-danger">
          {problem.message}
        </p>
      )}
      {conflicts.length > 0 && <Conflicts contents={contents} />}
      {isWhole && lost > 0 && <Lost lost={lost} />}
      <div className="flex min-h-13 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1.5 sm:px-6">
        <Summary contents={contents} isWhole={isWhole} />
        <DraftEffect changes={isWhole ? changes : noChanges} />
        <Note />
        <span className="ml-auto flex items-center gap-1.5 text-xs text-muted max-xl:hidden">
          <Kbd>Ctrl D</Kbd> fill down <Kbd>?</Kbd> all keys
        </span>
        <span className="flex flex-wrap items-center justify-end gap-2 max-xl:ml-auto">
          <IconButton
            className="max-sm:hidden"
            label="Undo"
            icon={<Undo2 aria-hidden />}
            disabled={!draft.canUndo()}
            onClick={() => draft.undo()}
          />
          <IconButton
            className="max-sm:hidden"
            label="Redo"
            icon={<Redo2 aria-hidden />}
            disabled={!draft.canRedo()}
            onClick={() => draft.redo()}
          />
          {!isEmpty && <Button onClick={() => setIsDiscarding(true)}>Discard</Button>}
          <Button disabled={!isReady} pending={isPending} onClick={() => save(changes)}>
            Save
          </Button>
          <Button variant="primary" disabled={changes.length === 0 || isPending} onClick={review}>
            Review {changes.length > 0 && countNouns(changes.length, "change")}
          </Button>
        </span>
      </div>
      <ConfirmDialog
        open={isDiscarding}
        onClose={() => setIsDiscarding(false)}
        onConfirm={() => {
          draft.apply(listAll(draft));
          setIsDiscarding(false);
        }}
        title={`Discard ${countNouns(changes.length + faults.length + lost, "change")}?`}
        confirmLabel="Discard"
      >
        The saved limits stay as they are. Undo brings the draft back until you leave this page.
      </ConfirmDialog>
    </div>
  );
}

const noChanges: DraftContents["changes"] = [];

/** What the whole draft would have done. */
function DraftEffect({ changes }: Pick<DraftContents, "changes">) {
  const effect = useEffectOf(changes);
  if (changes.length > MOST_CHANGES)
    return <span className="text-muted">The review says what so many would have done.</span>;
  if (!effect) return null;
  return (
    <span role="status" aria-label="Effect of the draft" className={effectTone(effect)}>
      {describeEffect(effect)}
    </span>
  );
}

function listAll(draft: ReturnType<typeof useGrid>["draft"]) {
  return [...draft.rows()].flatMap(([pair, row]) =>
    (Object.keys(row) as (keyof typeof row)[]).map((field) => ({ pair, field, cell: undefined })),
  );
}

function Summary({ contents, isWhole }: { contents: DraftContents; isWhole: boolean }) {
  const { changes, faults } = contents;
  const pairs = [...changes, ...faults].map(({ pair }) => pair);
  const places = listPlaces(pairs);
  const edited = changes.length + faults.length;
  if (edited === 0) {
    return (
      <span className="text-muted">
        <span className="max-sm:hidden">Type into a cell, or paste from a spreadsheet.</span> Nothing is saved
        until you save it.
      </span>
    );
  }
  return (
    <span role="status">
      <b className="font-semibold">{countNouns(edited, "change")}</b>{" "}
      <span className="text-muted">in {places}</span>
      {faults.length > 0 && (
        <span className="text-danger"> · {formatCount(faults.length)} not understood</span>
      )}
      {!isWhole && <span className="text-muted"> · more rows are loading</span>}
    </span>
  );
}

/** "2 projects, 1 plan and the defaults". */
function listPlaces(pairs: readonly LimitPair[]): string {
  const count = (kind: LimitPair["kind"]) =>
    new Set(pairs.flatMap((pair) => (pair.kind === kind ? pair.projectId : []))).size;
  const [projects, plans] = [count("project"), count("plan")];
  const places = [
    projects > 0 && countNouns(projects, "project"),
    plans > 0 && countNouns(plans, "plan"),
    count("default") > 0 && "the defaults",
  ].filter((place) => place !== false);
  return new Intl.ListFormat("en").format(places);
}

/** What the last fill or paste did. */
function Note() {
  const { state } = useGrid();
  const note = useSyncExternalStore(state.subscribe, state.note, state.note);
  if (!note) return null;
  return (
    <span
      role={note.isRefusal ? "alert" : "status"}
      className={note.isRefusal ? "text-danger" : "text-muted"}
    >
      {note.text}
    </span>
  );
}

function Conflicts({ contents: { conflicts } }: { contents: DraftContents }) {
  const { draft } = useGrid();
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 border-b bg-warning-soft px-6 py-2">
      <span>
        Somebody saved {countNouns(conflicts.length, "limit")} that you changed, after you typed:{" "}
        {conflicts
          .slice(0, 3)
          .map(({ pair, field }) => `${pair.projectName} · ${nameModel(pair)} · ${field.label}`)
          .join("; ")}
        {conflicts.length > 3 && ` and ${conflicts.length - 3} more`}.
      </span>
      <span className="flex gap-2">
        <Button size="small" onClick={() => draft.apply(keepMine(conflicts))}>
          Keep mine
        </Button>
        <Button size="small" onClick={() => draft.apply(giveUp(conflicts))}>
          Take theirs
        </Button>
      </span>
    </div>
  );
}

function Lost({ lost }: { lost: number }) {
  return (
    <p className="border-b bg-warning-soft px-6 py-2">
      {countNouns(lost, "change")} of your draft {lost === 1 ? "is" : "are"} for projects or models that are
      gone, and
      {lost === 1 ? " is" : " are"} not saved. Discard the draft to forget {lost === 1 ? "it" : "them"}.
    </p>
  );
}
