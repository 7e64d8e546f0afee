const REMEMBERED_CANCELS = 1_000;

/** Long answers in progress, so that a second request can end one. Each belongs to the session that started it. */
export class Runs {
  readonly #controllers = new Map<string, AbortController>();
  /** Cancellations that arrived before their run; the oldest are dropped. */
  readonly #early = new Set<string>();

  /** Registers a run until `finish` is called. @returns null if the session already has a run with this id. */
  begin(owner: string, runId: string): { signal: AbortSignal; cancel(): void; finish(): void } | null {
    const name = formatRunKey(owner, runId);
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

  /** Ends a run of this owner. A run that has not begun yet will end as it begins. */
  cancel(owner: string, runId: string): void {
    const name = formatRunKey(owner, runId);
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

function formatRunKey(owner: string, runId: string): string {
  return JSON.stringify([owner, runId]);
}

const registry = Symbol.for("gatehouse.console.runs");
// Next.js may load a module once per layer of its bundle, but a process needs a single registry.
const processGlobals = globalThis as { [registry]?: Runs };

/** The runs of this process. */
export function processRuns(): Runs {
  processGlobals[registry] ??= new Runs();
  return processGlobals[registry];
}
