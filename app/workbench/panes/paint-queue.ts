type Paint = () => void;

/**
 * Renders streamed text for one pane per frame, in turn, so that no frame renders more than one pane. Hidden pages have no
 * frames; there, text is rendered by `flush`.
 */
export class PaintQueue {
  readonly #waiting = new Map<string, Paint>();
  #isAwaitingFrame = false;

  constructor(
    private readonly nextFrame: (run: () => void) => number = (run) => requestAnimationFrame(run),
  ) {}

  /** Schedules one render. Further calls with the same id before it are merged. */
  add(id: string, paint: Paint): void {
    if (!this.#waiting.has(id)) this.#waiting.set(id, paint);
    this.#awaitFrame();
  }

  /** Renders pending text of this id at once. */
  flush(id: string): void {
    const paint = this.#waiting.get(id);
    this.#waiting.delete(id);
    paint?.();
  }

  #awaitFrame(): void {
    if (this.#isAwaitingFrame) return;
    this.#isAwaitingFrame = true;
    this.nextFrame(() => this.#drawOne());
  }

  #drawOne(): void {
    this.#isAwaitingFrame = false;
    const [first] = this.#waiting.keys();
    if (first === undefined) return;
    this.flush(first);
    if (this.#waiting.size > 0) this.#awaitFrame();
  }
}
