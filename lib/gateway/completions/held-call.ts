import type { ModelRoute } from "@/lib/contract/operations/models";
import type { OutputLimitField } from "@/lib/contract/operations/providers";
import type { Caller } from "../auth/caller";
import type { ProviderDirectory } from "../models/provider-directory";
import type { OpenCall } from "./open-call";
import type { ProviderConnection } from "./provider-connection";
import type { ProviderLinks } from "./provider-links";

/** An admitted call whose hold is on disk. */
export interface HeldCall {
  readonly open: OpenCall;
  /** What goes to a provider that knows the model, and is told the most output, by these names. */
  readonly body: (
    model: string,
    outputLimitField: OutputLimitField,
  ) => string | Promise<Uint8Array<ArrayBuffer>>;
  readonly routes: readonly ModelRoute[];
  /** Its place at a provider; another where it is called again. */
  connection: ProviderConnection;
  /** The key or session that asked. */
  readonly callerId: string;
  /** What the caller holds: it decides how much a broken stream tells. */
  readonly permissionsIn: Caller["permissionsIn"];
  /** What passes its stream on. */
  relay?: { endAccess(): void };
  readonly isSandbox: boolean;
  /** Whether a stream shall end with its usage. */
  readonly wantsUsage: boolean;
  readonly clientSignal: AbortSignal;
  /** Told when a streamed reply has come to its end. */
  readonly streamEnds: (() => void) | undefined;
  /** The reply's headers besides its content type. */
  headers(): Record<string, string>;
}

export interface AnswerContext {
  readonly directory: Pick<ProviderDirectory, "find">;
  readonly links: ProviderLinks;
  /** Told why a provider failed, and of faults of our own that a caller sees as a broken stream. */
  logFault(requestId: string, error: unknown): void;
}
