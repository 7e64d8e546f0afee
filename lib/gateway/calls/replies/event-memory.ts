import type { ReplyMemory, ReplyShare, Waiting } from "./reply-memory";
import { SYNCHRONOUS_BYTES } from "./reply-reader";

/** The memory for a stream's long events, each from its first bytes until it was sent to the client. */
export class EventMemory {
  #share: ReplyShare | null = null;

  constructor(
    private readonly memory: ReplyMemory,
    private readonly waiting: Waiting,
  ) {}

  /**
   * Called before more of an event is read. Null where there is room now.
   * @param bytes size of the event so far.
   * @throws Refusal 503
   */
  makeRoom(bytes: number): Promise<void> | null {
    if (bytes <= SYNCHRONOUS_BYTES) {
      this.release();
      return null;
    }
    this.#share ??= this.memory.newShare();
    return this.#share.growTo(bytes, this.waiting);
  }

  /** The event was read completely. */
  rest(): void {
    this.#share?.rest();
  }

  release(): void {
    this.#share?.release();
  }
}
