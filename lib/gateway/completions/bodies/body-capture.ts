import { MOST_KEPT_BYTES } from "@/lib/contract/operations/request-bodies";
import type { Clock } from "../../effects";
import type { BodyPieces } from "../../http/body-reader";
import type { BodySettings, BodySettingsMirror } from "../../requests/body-settings";
import type { BodyKeeper, BytesBegun } from "../../requests/kept-body";
import { RefusalSamples } from "../../requests/refusal-samples";

/** The call that a body is of. */
interface Captured {
  readonly requestId: string;
  readonly projectId: string;
  readonly keyId: string;
}

/** Begins to take down the bodies of calls whose project keeps them. */
export class BodyCaptures {
  readonly #refusals = new RefusalSamples();

  constructor(
    private readonly settings: Pick<BodySettingsMirror, "findKeeping">,
    private readonly keeper: BodyKeeper,
    private readonly clock: Clock,
  ) {}

  /** Undefined for a call of whose body nothing is kept. */
  begin(call: Captured): BodyCapture | undefined {
    const settings = this.settings.findKeeping(call.projectId);
    return settings && new BodyCapture(call, settings, this.keeper, this.clock.nowMs(), this.#refusals);
  }
}

/** Takes down what goes by of one call, the beginning of it: bytes are copied, and made something of once the call has ended. */
export class BodyCapture {
  readonly #request = new Beginning();
  #reply: Beginning | null = null;
  #isStream = false;
  #isAdmitted = false;
  #isOver = false;

  constructor(
    private readonly call: Captured,
    private readonly settings: BodySettings,
    private readonly keeper: BodyKeeper,
    private readonly atMs: number,
    private readonly refusals: RefusalSamples,
  ) {}

  request(pieces: BodyPieces): void {
    for (const piece of pieces) this.#request.add(piece);
  }

  /** The call has been let through: it stands in the list of calls whatever becomes of it. */
  admitted(): void {
    this.#isAdmitted = true;
  }

  /** A whole reply; the call ends with it. */
  answered(pieces: BodyPieces): void {
    for (const piece of pieces) this.#add(piece);
    this.end();
  }

  /** Takes down what goes to a client, until that is closed. */
  tap<Sink extends { enqueue(bytes: Uint8Array): void; close(): void }>(sink: Sink) {
    this.#isStream = true;
    return {
      enqueue: (bytes: Uint8Array) => {
        this.#add(bytes);
        sink.enqueue(bytes);
      },
      close: () => {
        this.end();
        sink.close();
      },
    };
  }

  /** Hands over what went by, the first time it is called. Of refused calls those alone that the list of calls has, too. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { requestId, projectId, keyId } = this.call;
    const { mode, redactions } = this.settings;
    if (mode === "off" || (!this.#isAdmitted && !this.refusals.take(keyId, this.atMs))) return;
    this.keeper.keep({
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

  /** Nothing of this is kept: it is no call of its own, or in no list. */
  discard(): void {
    this.#isOver = true;
  }

  #add(bytes: Uint8Array): void {
    this.#reply ??= new Beginning();
    if (!this.#isOver) this.#reply.add(bytes);
  }
}

/** The first bytes of many, in memory of their own. */
class Beginning {
  readonly #pieces: Uint8Array[] = [];
  #room = MOST_KEPT_BYTES;
  #size = 0;

  add(bytes: Uint8Array): void {
    this.#size += bytes.byteLength;
    if (this.#room === 0) return;
    const piece = bytes.slice(0, this.#room);
    this.#room -= piece.byteLength;
    this.#pieces.push(piece);
  }

  taken(): BytesBegun {
    return { begin: new Uint8Array(Buffer.concat(this.#pieces)), size: this.#size };
  }
}
