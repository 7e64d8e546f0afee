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
let shown: readonly Toast[] = [];
const listeners = new Set<() => void>();

/**
 * Says what has just happened, for what is not already said where the eye is. The oldest of more than three goes.
 * @returns its id, for `dismissToast`.
 */
export function toast({ tone = "good", ...rest }: ToastRequest): number {
  lastId += 1;
  publish([...shown, { id: lastId, tone, ...rest }].slice(-SHOWN_AT_ONCE));
  return lastId;
}

export function dismissToast(id: number): void {
  publish(shown.filter((one) => one.id !== id));
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentToasts(): readonly Toast[] {
  return shown;
}

function publish(next: readonly Toast[]): void {
  shown = next;
  for (const listener of listeners) listener();
}
