import type { Refusal } from "../../refusal";
import type { HeldCall } from "../holds/held-call";
import type { RequestFields } from "../requests/prepared-request";
import type { ReportedFigures } from "../usage/read-usage";
import type { ResolvedUsage } from "../usage/resolve-usage";
import type { ParsedEvent } from "./stream-event";

/** The call whose stream is written. */
export interface StreamedCall {
  readonly hold: HeldCall;
  readonly fields: RequestFields;
  /** The account that answers, as in `ProviderLink.account`. */
  readonly account: string;
  /** The gateway's own values of a response's fields, as JSON, besides its id and model. */
  readonly own: Readonly<Record<string, string>>;
}

/** What a stream has cost when it ends, and the figures that its provider reported. */
export interface StreamCost {
  readonly used: ResolvedUsage;
  readonly reported: ReportedFigures | null;
}

/** How one stream is passed on in its protocol: which bytes of it are the gateway's own, and how it ends. */
export interface StreamForm {
  /** Whether an event with the usage was held back. */
  readonly hasUsage: boolean;
  /** An event that is passed on, with the name of the model that was asked for. */
  rename(event: Buffer, parsed?: ParsedEvent): Buffer;
  /** The same for a chunk of events that differ only in their text, each of which ends with two line feeds. */
  renameAlike(chunk: Uint8Array): Uint8Array;
  /** Keeps an event that waits for the charge. */
  holdBack(event: Buffer, parsed?: ParsedEvent): void;
  /** The event that ends an answer at its output limit, in place of the one that exceeds it. */
  cutShort(event: Buffer, choices: number): Buffer;
  /** The last bytes, once the cost is known. */
  end(cost: StreamCost): Buffer;
  /** The last bytes of a stream that breaks off. */
  fail(refusal: Refusal): Buffer;
}
