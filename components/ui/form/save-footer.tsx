"use client";

import { CircleDot } from "lucide-react";
import type { ReactNode } from "react";
import { formatCount } from "@/components/ui/values/group-digits";
import { Button } from "../button";
import { Status } from "../status";
import type { ConflictDialogProps } from "./conflict-dialog";
import { FormFooter } from "./form";
import { ConflictDialog } from "./lazy-conflict-dialog";

type SaveFooterProps = {
  /** The form's saving, from `useSaveChanges`. */
  saving: {
    changeCount: number;
    pending: boolean;
    /** Whether somebody deleted the object: nothing can be saved any more. */
    isGone: boolean;
    discard: () => void;
    undo: () => void;
    outcome: { text: string; before: object | null } | null;
    conflict: Omit<ConflictDialogProps, "labels" | "nothing" | "choices"> | null;
  };
  labels: ConflictDialogProps["labels"];
  /** The text for an empty field in a conflict. */
  nothing: string;
  /** The options of the form's selects, by field. */
  choices?: ConflictDialogProps["choices"];
  /** False if the last save can't be undone. */
  canUndo?: boolean;
  /** False if the person may only read the form. */
  canWrite?: boolean;
};

/** The end of an edit form: the bar that saves and undoes, and the dialog about a conflicting save. */
export function SaveFooter(props: SaveFooterProps) {
  const { saving, labels, nothing, choices, canUndo = true, canWrite = true } = props;
  const { outcome, conflict } = saving;
  const isUndoable = canUndo && outcome?.before;
  return (
    <>
      {canWrite && (
        <SaveBar
          changeCount={saving.changeCount}
          pending={saving.pending}
          canSave={!saving.isGone}
          onDiscard={saving.discard}
          saved={outcome && <SavedNote text={outcome.text} onUndo={isUndoable ? saving.undo : undefined} />}
        />
      )}
      {conflict && <ConflictDialog {...conflict} labels={labels} nothing={nothing} choices={choices} />}
    </>
  );
}

/** Shows what was saved, in place of the number of changes, and a button to undo it. */
function SavedNote({ text, onUndo }: { text: string; onUndo: (() => void) | undefined }) {
  return (
    <>
      {text}
      {onUndo && (
        <Button size="small" variant="ghost" onClick={onUndo} className="text-foreground">
          Undo
        </Button>
      )}
    </>
  );
}

type SaveBarProps = {
  /** Number of unsaved changes, from `countChanges`. */
  changeCount: number;
  pending: boolean;
  onDiscard: () => void;
  /** Shown while there are no changes: `Saved just now`. */
  saved?: ReactNode;
  /** False if the changes can't be saved any more, only discarded. */
  canSave: boolean;
};

/** The footer of an edit form: number of changes, discard, save. */
function SaveBar({ changeCount, pending, onDiscard, saved, canSave }: SaveBarProps) {
  const noun = changeCount === 1 ? "change" : "changes";
  return (
    <FormFooter
      status={
        changeCount > 0 ? (
          <Status tone="near" icon={CircleDot}>
            {changeCount} unsaved {noun}
          </Status>
        ) : (
          saved && <Status tone="good">{saved}</Status>
        )
      }
    >
      {changeCount > 0 && (
        <Button variant="ghost" onClick={onDiscard} disabled={pending}>
          Discard
        </Button>
      )}
      {canSave && (
        <Button type="submit" variant="primary" pending={pending} disabled={changeCount === 0 && !pending}>
          {changeCount === 0 ? "Save" : `Save ${formatCount(changeCount)} ${noun}`}
        </Button>
      )}
    </FormFooter>
  );
}
