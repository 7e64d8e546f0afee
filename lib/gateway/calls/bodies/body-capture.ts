import { MAX_KEPT_BYTES } from "@/lib/contract/operations/calls/request-bodies";
import type { Clock } from "../../clock";
import type { BodyPieces } from "../../http/body-reader";
import { RefusalSamples } from "../../ledger/refusal-samples";
import type { BodySettings, BodySettingsCache } from "../../log/bodies/body-settings.sql";
import type { Excerpt } from "../../log/bodies/stored-body";
import type { BodyQueue } from "./body-queue";

/** The call that a body belongs to. */
interface Captured {
  readonly requestId: string;
  readonly projectId: string;
  readonly keyId: string;
}

/** Starts capturing the bodies of calls whose project stores them. */
export class BodyCaptures {
  readonly #refusals = new RefusalSamples();

  constructor(
    private readonly settings: Pick<BodySettingsCache, "findKeeping">,
    private readonly queue: BodyQueue,
    private readonly clock: Clock,
  ) {}

  /** Undefined for a call whose body is not stored. */
  begin(call: Captured): BodyCapture | undefined {
    const settings = this.settings.findKeeping(call.projectId);
    return settings && new BodyCapture(call, settings, this.queue, this.clock.nowMs(), this.#refusals);
  }
}

/**
 * Captures the beginning of a call's request and reply. Bytes are only copied here, and processed once the call has
 * ended.
 */
export class BodyCapture {
  readonly #request = new Beginning();
  #reply: Beginning | null = null;
  #isStream = false;
  #isAdmitted = false;
  #isOver = false;

  constructor(
    private readonly call: Captured,
    private readonly settings: BodySettings,
    private readonly queue: BodyQueue,
    private readonly atMs: number,
    private readonly refusals: RefusalSamples,
  ) {}

  request(pieces: BodyPieces): void {
    for (const piece of pieces) this.#request.add(piece);
  }

  /** The call was admitted, so the list of calls will contain it, however it ends. */
  noteAdmitted(): void {
    this.#isAdmitted = true;
  }

  /** A whole reply, which ends the call. */
  noteAnswered(pieces: BodyPieces): void {
    for (const piece of pieces) this.#add(piece);
    this.end();
  }

  /** A part of a reply of events. */
  addStreamed(bytes: Uint8Array): void {
    this.#isStream = true;
    this.#add(bytes);
  }

  /**
   * Hands over the captured bytes on the first call. Refused calls are stored only if the list of calls contains them,
   * too.
   */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { requestId, projectId, keyId } = this.call;
    const { mode, redactions } = this.settings;
    if (mode === "off" || (!this.#isAdmitted && !this.refusals.take(keyId, this.atMs))) return;
    this.queue.keep({
      requestId,
      projectId,
      atMs: this.atMs,
      mode,
      redactions,
      request: this.#request.taken(),
      reply: this.#reply?.taken() ?? null,
      isStream: this.#isStream,
    });
  }

  /** Stores nothing: the call repeats an earlier one, or is not in the list of calls. */
  discard(): void {
    this.#isOver = true;
  }

  #add(bytes: Uint8Array): void {
    this.#reply ??= new Beginning();
    if (!this.#isOver) this.#reply.add(bytes);
  }
}

/** The first bytes of a body, in memory of their own. */
class Beginning {
  readonly #pieces: Uint8Array[] = [];
  #room = MAX_KEPT_BYTES;
  #size = 0;

  add(bytes: Uint8Array): void {
    this.#size += bytes.byteLength;
    if (this.#room === 0) return;
    const piece = bytes.slice(0, this.#room);
    this.#room -= piece.byteLength;
    this.#pieces.push(piece);
  }

  taken(): Excerpt {
    return { begin: new Uint8Array(Buffer.concat(this.#pieces)), size: this.#size };
  }
}
