import { Button } from "../ui/button";

type SavedNoteProps = {
  /** What was done: "Saved 2 changes". */
  words: string;
  /** Takes it back; left out where nothing can be taken back. */
  onUndo?: (() => void) | undefined;
};

/** In a save bar's place for what is saved: what was done, and the way back. */
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
