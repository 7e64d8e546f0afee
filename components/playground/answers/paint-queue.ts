import { whenIdle } from "@/components/ui/browser/when-idle";

type Paint = () => void;

/** Calls `work` in a frame, once nothing else waits for the page or after `atMostMs`, which it then says. */
type AwaitTurn = (work: (isLate: boolean) => void, atMostMs: number) => void;

const [LEAST_MS, MOST_MS] = [100, 800];

/**
 * Renders streamed text for one pane per frame, in turn, so that no frame renders more than one pane. Hidden pages have
 * no frames; there, text is rendered by `flush`. Text makes way for what React renders in steps, such as the next
 * screen: each text drawn meanwhile would make React begin that anew.
 */
export class PaintQueue {
  readonly #waiting = new Map<string, Paint>();
  #isAwaitingTurn = false;
  #atMostMs = LEAST_MS;

  constructor(private readonly awaitTurn: AwaitTurn = awaitIdleFrame) {}

  /** Schedules one render. Further calls with the same id before it are merged. */
  add(id: string, paint: Paint): void {
    if (!this.#waiting.has(id)) this.#waiting.set(id, paint);
    this.#await();
  }

  /** Renders pending text of this id at once. */
  flush(id: string): void {
    const paint = this.#waiting.get(id);
    this.#waiting.delete(id);
    paint?.();
  }

  #await(): void {
    if (this.#isAwaitingTurn) return;
    this.#isAwaitingTurn = true;
    this.awaitTurn((isLate) => this.#drawOne(isLate), this.#atMostMs);
  }

  #drawOne(isLate: boolean): void {
    this.#isAwaitingTurn = false;
    // What waits may need longer than this on a slow machine.
    this.#atMostMs = isLate ? Math.min(2 * this.#atMostMs, MOST_MS) : LEAST_MS;
    const [first] = this.#waiting.keys();
    if (first === undefined) return;
    this.flush(first);
    if (this.#waiting.size > 0) this.#await();
  }
}

function awaitIdleFrame(work: (isLate: boolean) => void, atMostMs: number): void {
  requestAnimationFrame(() => whenIdle(work, atMostMs));
}
