import { setPriority } from "node:os";

/** The nice value of background threads: on a shared processor the event loop gets three quarters of the time. */
const NICE = 5;

/** Lowers the priority of the calling thread below the event loop's. Only Linux supports priorities per thread. */
export function lowerThreadPriority(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(NICE);
  } catch {
    // A sandbox may forbid it; the thread then keeps the usual priority.
  }
}
