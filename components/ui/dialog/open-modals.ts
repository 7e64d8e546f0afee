"use client";

let openModals: readonly Element[] = [];

const listeners = new Set<() => void>();

/** Called when a modal dialog is shown, also when it is shown again and so lies above the others. */
export function enterModal(dialog: Element): void {
  publish([...openModals.filter((one) => one !== dialog), dialog]);
}

/** Called when a modal dialog is closed, while it is still in the document. */
export function leaveModal(dialog: Element): void {
  publish(openModals.filter((one) => one !== dialog));
}

/** Everything outside the topmost modal dialog is inert. Null if there is none. */
export function topmostModal(): Element | null {
  return openModals.at(-1) ?? null;
}

export function subscribeToModals(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function publish(next: readonly Element[]): void {
  openModals = next;
  for (const listener of listeners) listener();
}
