/** What leaving would lose, in words. */
export type Loss = { title: string; text: string };

/** Something typed and not saved. */
export type Unsaved = {
  /** The id of the dialog it is in; null where it is on the page itself. */
  dialog: string | null;
  /** Null while nothing would be lost. */
  describe: () => Loss | null;
  discard: () => void;
};

export type LeaveQuestion = { loss: Loss; discardAndLeave: () => void };

const held = new Set<Unsaved>();
const listeners = new Set<() => void>();
let question: LeaveQuestion | null = null;
let isReleased = false;

/** Announces something unsaved, until the returned function is called. */
export function holdUnsaved(unsaved: Unsaved): () => void {
  held.add(unsaved);
  return () => held.delete(unsaved);
}

/**
 * Every way out goes through here: leaves at once where nothing is lost, and asks otherwise. Of a dialog alone with
 * `dialog`, of the page without. Whoever discards finds the form as it was saved: nothing is carried elsewhere.
 */
export function askToLeave(leave: () => void, dialog?: string): void {
  const lost = unsavedIn(dialog);
  const [first] = lost;
  if (!first) return leave();
  publish({
    loss: first.loss,
    discardAndLeave() {
      publish(null);
      for (const { unsaved } of lost) unsaved.discard();
      leave();
    },
  });
}

export function keepEditing(): void {
  publish(null);
}

export function isAnythingUnsaved(): boolean {
  return unsavedIn().length > 0;
}

/** Lets the page go without a question, because what was typed is kept and comes back. */
export function releaseUnsaved(): void {
  isReleased = true;
}

export function subscribeToQuestion(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentQuestion(): LeaveQuestion | null {
  return question;
}

/** The latest first: a dialog before the page behind it. */
function unsavedIn(dialog?: string): { unsaved: Unsaved; loss: Loss }[] {
  if (isReleased) return [];
  return [...held].toReversed().flatMap((unsaved) => {
    const loss = dialog === undefined || unsaved.dialog === dialog ? unsaved.describe() : null;
    return loss ? [{ unsaved, loss }] : [];
  });
}

function publish(next: LeaveQuestion | null): void {
  question = next;
  for (const listener of listeners) listener();
}
