import { Button } from "../ui/button";

type SavedNoteProps = {
  /** What was saved: "Saved 2 changes". */
  words: string;
  /** Undoes the save. Omitted if it can't be undone. */
  onUndo?: (() => void) | undefined;
};

/** Replaces the save bar after a save: what was saved, and an undo button. */
export function SavedNote({ words, onUndo }: SavedNoteProps) {
  return (
    <>
      {words}
      {onUndo && (
        <Button size="small" variant="ghost" onClick={onUndo} className="text-foreground">
          Undo
        </Button>
      )}
    </>
  );
}
