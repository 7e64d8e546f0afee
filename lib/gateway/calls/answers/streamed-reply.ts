import type { Refusal } from "../../refusal";
import type { ResolvedUsage } from "../usage/resolve-usage";

/** A reply that is forwarded while it arrives: how its pieces are read, and what it costs so far. */
export interface StreamedReply {
  /** Whether the whole reply has arrived. */
  readonly isComplete: boolean;
  /** Whether the answer is whole, though the provider may add to it: from then on nothing is its failure. */
  readonly isFinished: boolean;
  /** Whether a failure would cost its caller anything. */
  readonly costsIfFailed: boolean;
  /** Whether a failed reply is charged for what it brought, even if that costs nothing; otherwise it is released. */
  readonly isChargedIfFailed: boolean;
  /** Null where more may be read now; otherwise resolves once it may. @throws Refusal 503 after too long a wait. */
  makeRoom(): Promise<void> | null;
  /** The next piece; null at the end of the provider's reply. */
  read(): Uint8Array | null | Promise<Uint8Array | null>;
  /** Forwards what can be forwarded of a piece. @returns how many bytes. @throws Refusal if the provider broke off. */
  forward(piece: Uint8Array | null): number | Promise<number>;
  /** Frees the memory of what was read. Called at the end, however it comes. */
  release(): void;
  /** Ends the request to the provider. @returns the last bytes for the client. */
  finish(): Uint8Array | undefined;
  /** What was generated so far. */
  usage(): ResolvedUsage;
  /** The last bytes of a reply that breaks off; null where it can't contain an error. */
  describeFailure(visibleRefusal: Refusal): Uint8Array | null;
}
