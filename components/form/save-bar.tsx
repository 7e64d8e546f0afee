import { CircleDot } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../ui/button";
import { Status } from "../ui/status";

type SaveBarProps = {
  /** Number of unsaved changes, from `countChanges`. */
  changeCount: number;
  pending: boolean;
  onDiscard: () => void;
  /** Shown while there are no changes: `Saved just now`. */
  saved?: ReactNode;
  /** True if the changes can't be saved yet. */
  disabled?: boolean;
};

/** The footer of an edit form: number of changes, discard, save. Sticks to the bottom of the window. */
export function SaveBar({ changeCount, pending, onDiscard, saved, disabled = false }: SaveBarProps) {
  const noun = changeCount === 1 ? "change" : "changes";
  return (
    <div className="sticky bottom-0 z-10 -mx-1 flex min-h-14 flex-wrap items-center justify-end gap-2 border-t bg-background px-1 py-3">
      <span role="status" className="mr-auto">
        {changeCount > 0 ? (
          <Status tone="near" icon={CircleDot}>
            {changeCount} unsaved {noun}
          </Status>
        ) : (
          saved && <Status tone="good">{saved}</Status>
        )}
      </span>
      {changeCount > 0 && (
        <Button variant="ghost" onClick={onDiscard} disabled={pending}>
          Discard
        </Button>
      )}
      <Button
        type="submit"
        variant="primary"
        pending={pending}
        disabled={disabled || (changeCount === 0 && !pending)}
      >
        {changeCount === 0 ? "Save" : `Save ${changeCount} ${noun}`}
      </Button>
    </div>
  );
}
