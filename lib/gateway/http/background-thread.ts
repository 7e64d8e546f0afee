import { setPriority } from "node:os";

/** A nice value: where both want one processor, the event loop gets three quarters of it. */
const NICE = 5;

/** Lowers the priority of the calling thread below the event loop's. Only Linux has priorities of threads. */
export function goBehindEventLoop(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(NICE);
  } catch {
    // A sandbox may forbid it. The thread then runs at the usual priority.
  }
}
