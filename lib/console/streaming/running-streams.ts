const REMEMBERED_CANCELS = 1_000;

/** A stream in progress. */
export interface RunningStream {
  /** Aborts when the stream is canceled. */
  readonly signal: AbortSignal;
  cancel(): void;
  /** Frees the stream's id. */
  finish(): void;
}

interface Entry {
  readonly owner: string;
  readonly streamId: string;
  readonly controller: AbortController;
}

/** Long answers in progress, so that a second request can end one. Each belongs to the session that started it. */
export class RunningStreams {
  readonly #running = new Map<string, Entry>();
  /** Cancellations that arrived before their stream; the oldest are dropped. */
  readonly #early = new Set<string>();

  /**
   * Registers a stream until `finish` is called.
   * @returns null if the session already has a stream with this id.
   */
  begin(owner: string, streamId: string): RunningStream | null {
    const name = formatStreamKey(owner, streamId);
    if (this.#running.has(name)) return null;
    const controller = new AbortController();
    if (this.#early.delete(name)) controller.abort();
    else this.#running.set(name, { owner, streamId, controller });
    const finish = () => {
      if (this.#running.get(name)?.controller === controller) this.#running.delete(name);
    };
    const cancel = () => {
      controller.abort();
      finish();
    };
    return { signal: controller.signal, cancel, finish };
  }

  /**
   * Ends a stream of this owner. A stream that has not begun yet will end as it begins.
   * @returns false if another owner's stream has the id, which goes on.
   */
  cancel(owner: string, streamId: string): boolean {
    const name = formatStreamKey(owner, streamId);
    const running = this.#running.get(name);
    if (running) {
      running.controller.abort();
      this.#running.delete(name);
      return true;
    }
    if ([...this.#running.values()].some((other) => other.streamId === streamId)) return false;
    this.#early.add(name);
    for (const oldest of this.#early) {
      if (this.#early.size <= REMEMBERED_CANCELS) break;
      this.#early.delete(oldest);
    }
    return true;
  }

  /** Ends all streams of an owner. */
  cancelAll(owner: string): void {
    for (const [name, running] of this.#running) {
      if (running.owner !== owner) continue;
      running.controller.abort();
      this.#running.delete(name);
    }
  }

  get size(): number {
    return this.#running.size;
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
