import type { ReplyMemory, ReplyShare, Waiting } from "./reply-memory";
import { READ_AT_ONCE_BYTES } from "./reply-reader";

/** The memory that a stream's long events hold, each from its first bytes until the client has it. */
export class EventRoom {
  #share: ReplyShare | null = null;

  constructor(
    private readonly memory: ReplyMemory,
    private readonly waiting: Waiting,
  ) {}

  /** Called before more of an event is read. Null if there is room now. @param bytes of the event so far. @throws Refusal 503 */
  makeRoom(bytes: number): Promise<void> | null {
    if (bytes <= READ_AT_ONCE_BYTES) {
      this.release();
      return null;
    }
    this.#share ??= this.memory.newShare();
    return this.#share.growTo(bytes, this.waiting);
  }

  /** The event has been read. */
  rest(): void {
    this.#share?.rest();
  }

  release(): void {
    this.#share?.release();
  }
}
