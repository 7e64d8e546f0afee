/** The text of the question about what leaving would lose. */
export type UnsavedWarning = { title: string; text: string };

/** Unsaved input, registered with `registerUnsaved`. */
export type UnsavedInput = {
  /** The id of the dialog that has the input; null if it is on the page itself. */
  dialog: string | null;
  /** Null if nothing would be lost. */
  describe: () => UnsavedWarning | null;
  discard: () => void;
  /** True if it is stored as a draft, which the page restores after a new sign-in. */
  isDrafted?: true;
};

/** Whether to lose input by leaving, or that leaving waits for a save: what is saved can't be discarded any more. */
export type LeaveQuestion =
  | { isSaving: true }
  | { isSaving?: never; loss: UnsavedWarning; discardAndLeave: () => void };

const registered = new Set<UnsavedInput>();
const listeners = new Set<() => void>();
const deferred = new Set<() => void>();
const saves = new Set<object>();
let question: LeaveQuestion | null = null;
/** The leave that waits until nothing is being saved. */
let waiting: (() => void) | null = null;
let isReleased = false;

/** Registers unsaved input. Returns a function that unregisters it. */
export function registerUnsaved(input: UnsavedInput): () => void {
  registered.add(input);
  return () => {
    registered.delete(input);
    // Later, since a dialog that renders again registers again at once.
    queueMicrotask(runDeferred);
  };
}

/** Registers a save that is under way. Returns a function that ends it, after its form has the saved values. */
export function registerSave(): () => void {
  const save = {};
  saves.add(save);
  return () => {
    saves.delete(save);
    // Later, since a save that somebody else's change made stale is sent again at once.
    queueMicrotask(() => saves.size === 0 && waiting?.());
  };
}

/**
 * Runs `work` once no dialog has unsaved input. Until then, the page behind it must keep the object that it is about.
 */
export function afterUnsavedDialogs(work: () => void): void {
  deferred.add(work);
  runDeferred();
}

export function isUnsavedInDialog(): boolean {
  return unsavedIn().some(({ input }) => input.dialog !== null);
}

function runDeferred(): void {
  if (deferred.size === 0 || isUnsavedInDialog()) return;
  const works = [...deferred];
  deferred.clear();
  for (const work of works) work();
}

/**
 * All navigation away from input goes through here: leaves at once if nothing would be lost, else waits for a running
 * save and confirms what it leaves unsaved. With `within`, considers that dialog or that input alone. Discarding resets
 * the forms to their saved values.
 */
export function confirmLeave(leave: () => void, within?: string | UnsavedInput): void {
  const losses = unsavedIn(within);
  const [first] = losses;
  if (!first) {
    publish(null);
    return leave();
  }
  if (saves.size > 0) return publish({ isSaving: true }, () => confirmLeave(leave, within));
  publish({
    loss: first.loss,
    discardAndLeave() {
      publish(null);
      for (const { input } of losses) input.discard();
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

/** True if something unsaved is on this page alone, such as an attached file or the results of a run. */
export function isAnythingUndrafted(): boolean {
  return unsavedIn().some(({ input }) => !input.isDrafted);
}

/** Disables the question, because the input is stored as a draft and will be restored. */
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

/** Newest first: a dialog comes before the page behind it. */
function unsavedIn(within?: string | UnsavedInput): { input: UnsavedInput; loss: UnsavedWarning }[] {
  if (isReleased) return [];
  return [...registered].toReversed().flatMap((input) => {
    const isThere = within === undefined || within === input || within === input.dialog;
    const loss = isThere ? input.describe() : null;
    return loss ? [{ input, loss }] : [];
  });
}

function publish(next: LeaveQuestion | null, whenSaved: (() => void) | null = null): void {
  waiting = whenSaved;
  if (question === next) return;
  question = next;
  for (const listener of listeners) listener();
}
