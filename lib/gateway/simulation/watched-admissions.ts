import type { Admission, AdmissionRequest, Admissions, LimitedPair } from "../rate-limits/admissions";
import { Refusal } from "../refusal";
import type { ExactLog } from "./exact-log";

export interface Watch {
  readonly log: ExactLog;
  /** Whether earlier calls were restored. */
  readonly wasRebuilt: boolean;
  /** Whether it answers with promises, as if another process were asked. */
  readonly isElsewhere: boolean;
  admitted(admission: Admission): void;
  released(admission: Admission): void;
}

/** Compares every answer of the admissions with the exact log. */
export class WatchedAdmissions implements Admissions {
  constructor(
    private readonly watch: Watch,
    private readonly watched: Admissions,
  ) {}

  get inFlight(): number {
    return this.watched.inFlight;
  }

  refuseIfTooManyInFlight(): void {
    this.watched.refuseIfTooManyInFlight();
  }

  isTight(request: AdmissionRequest): boolean | Promise<boolean> {
    return this.watched.isTight(request);
  }

  admit(request: AdmissionRequest): Admission | Promise<Admission> {
    const { log, wasRebuilt } = this.watch;
    return this.#answer(() => {
      try {
        const admission = this.watched.admit(request) as Admission;
        log.admitted(admission, log.nowMs());
        this.watch.admitted(admission);
        return admission;
      } catch (error) {
        if (error instanceof Refusal) log.noteRefusal(request, error, log.nowMs(), wasRebuilt);
        throw error;
      }
    });
  }

  preview(request: AdmissionRequest) {
    return this.#answer(() => this.watched.preview(request));
  }

  settle(...[admission, tokens, charge]: Parameters<Admissions["settle"]>) {
    const { log } = this.watch;
    return this.#answer(() => {
      this.watched.settle(admission, tokens, charge);
      log.corrected(admission, tokens, log.nowMs());
    });
  }

  release(...[admission, end]: Parameters<Admissions["release"]>) {
    return this.#answer(() => {
      this.watched.release(admission, end);
      this.watch.log.noteReturn(admission, end);
      this.watch.released(admission);
    });
  }

  leave(...call: Parameters<Admissions["leave"]>) {
    return this.watched.leave(...call);
  }

  countWaitingClient() {
    return this.watched.countWaitingClient();
  }

  settleHeld(...end: Parameters<Admissions["settleHeld"]>) {
    return this.watched.settleHeld(...end);
  }

  releaseHeld(...end: Parameters<Admissions["releaseHeld"]>) {
    return this.watched.releaseHeld(...end);
  }

  notCovered(admission: Admission): Refusal {
    return this.watched.notCovered(admission);
  }

  readStatus(limited: LimitedPair) {
    return this.#answer(() => this.watched.readStatus(limited));
  }

  #answer<Answer>(ask: () => Answer | Promise<Answer>): Answer | Promise<Answer> {
    return this.watch.isElsewhere ? (async () => ask())() : ask();
  }
}
