export type Toast = {
  id: number;
  message: string;
  tone: "good" | "bad" | "neutral";
  /** Usually "Undo". */
  action?: { label: string; onAct: () => void };
};

type ToastRequest = Omit<Toast, "id" | "tone"> & { tone?: Toast["tone"] };

const SHOWN_AT_ONCE = 3;
let lastId = 0;
let shownToasts: readonly Toast[] = [];
const listeners = new Set<() => void>();

/**
 * Confirms something that isn't confirmed where the person is looking. At most three are shown; the oldest goes first.
 * @returns the id for `dismissToast`.
 */
export function toast({ tone = "good", ...rest }: ToastRequest): number {
  lastId += 1;
  publish([...shownToasts, { id: lastId, tone, ...rest }].slice(-SHOWN_AT_ONCE));
  return lastId;
}

export function dismissToast(id: number): void {
  publish(shownToasts.filter((one) => one.id !== id));
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentToasts(): readonly Toast[] {
  return shownToasts;
}

function publish(next: readonly Toast[]): void {
  shownToasts = next;
  for (const listener of listeners) listener();
}
