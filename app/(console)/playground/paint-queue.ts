type Paint = () => void;

/**
 * Draws what has come in, one pane a frame in turn: however many answers stream at once, no frame has to draw more than one.
 * A hidden page has no frames, so what waits there is drawn when it is flushed.
 */
export class PaintQueue {
  readonly #waiting = new Map<string, Paint>();
  #isAwaitingFrame = false;

  constructor(
    private readonly nextFrame: (run: () => void) => number = (run) => requestAnimationFrame(run),
  ) {}

  /** Draws once for all calls until then. */
  add(id: string, paint: Paint): void {
    if (!this.#waiting.has(id)) this.#waiting.set(id, paint);
    this.#awaitFrame();
  }

  /** Draws what waits under this id now. */
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
