import { CircleDot } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../button";
import { Status } from "../status";
import { FormFooter } from "./form-footer";

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
export function SaveBar({ changeCount, pending, onDiscard, saved, canSave }: SaveBarProps) {
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
          {changeCount === 0 ? "Save" : `Save ${changeCount} ${noun}`}
        </Button>
      )}
    </FormFooter>
  );
}
