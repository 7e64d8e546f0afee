const REMEMBERED_CANCELS = 1_000;

/** A stream in progress. */
export interface RunningStream {
  /** Aborts when the stream is canceled. */
  readonly signal: AbortSignal;
  cancel(): void;
  /** Frees the stream's id. */
  finish(): void;
}

/** Long answers in progress, so that a second request can end one. Each belongs to the session that started it. */
export class RunningStreams {
  readonly #controllers = new Map<string, AbortController>();
  /** Cancellations that arrived before their stream; the oldest are dropped. */
  readonly #early = new Set<string>();

  /** Registers a stream until `finish` is called. @returns null if the session already has a stream with this id. */
  begin(owner: string, streamId: string): RunningStream | null {
    const name = formatStreamKey(owner, streamId);
    if (this.#controllers.has(name)) return null;
    const controller = new AbortController();
    if (this.#early.delete(name)) controller.abort();
    else this.#controllers.set(name, controller);
    const finish = () => {
      if (this.#controllers.get(name) === controller) this.#controllers.delete(name);
    };
    const cancel = () => {
      controller.abort();
      finish();
    };
    return { signal: controller.signal, cancel, finish };
  }

  /** Ends a stream of this owner. A stream that has not begun yet will end as it begins. */
  cancel(owner: string, streamId: string): void {
    const name = formatStreamKey(owner, streamId);
    const controller = this.#controllers.get(name);
    if (controller) {
      controller.abort();
      this.#controllers.delete(name);
      return;
    }
    this.#early.add(name);
    for (const oldest of this.#early) {
      if (this.#early.size <= REMEMBERED_CANCELS) break;
      this.#early.delete(oldest);
    }
  }

  get size(): number {
    return this.#controllers.size;
  }
}

function formatStreamKey(owner: string, streamId: string): string {
  return JSON.stringify([owner, streamId]);
}

const registry = Symbol.for("gatehouse.console.streams");
// Next.js may load a module once per layer of its bundle, but a process needs a single registry.
const processGlobals = globalThis as { [registry]?: RunningStreams };

/** The streams of this process. */
export function processStreams(): RunningStreams {
  processGlobals[registry] ??= new RunningStreams();
  return processGlobals[registry];
}
