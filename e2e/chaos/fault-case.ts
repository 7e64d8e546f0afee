import type { ProviderFault } from "./provider/provider-script";

/** A fault of a provider, and its permitted results. */
export interface FaultCase {
  readonly faults: readonly ProviderFault[];
  /** Set where the fault only concerns streams, or only whole replies. */
  readonly isStream?: boolean;
  readonly model?: string;
  /** The client's status. A stream that had begun ends with an error event with `code`. */
  readonly status: number;
  readonly streamStatus?: number;
  /** Null where the answer is complete nevertheless. */
  readonly code: string | null;
  /** "what came", for streams: the forwarded words, as counted by the gateway. "in full": a complete answer. */
  readonly charged: "nothing" | "what came" | "in full";
  /** How often the provider receives the call: at least and at most. */
  readonly sent: readonly [least: number, most: number];
}

/** A case that is sent once and not charged. */
export function costsNothing(fault: ProviderFault, code: string, rest: Partial<FaultCase> = {}): FaultCase {
  const status = code === "provider_timeout" ? 504 : 502;
  return { faults: [fault], status, code, charged: "nothing", sent: [1, 1], ...rest };
}

/** A fault during an answer: a whole reply costs nothing, and of a stream the forwarded part is charged. */
export function breaksHalfWay(
  fault: ProviderFault,
  code: string,
  rest: Partial<FaultCase> = {},
): FaultCase[] {
  const nothing = costsNothing(fault, code, rest);
  return [
    { ...nothing, isStream: false },
    { ...nothing, isStream: true, streamStatus: 200, charged: "what came" },
  ];
}

/** A case in which the answer is complete nevertheless. */
export function isAnswered(
  faults: readonly ProviderFault[],
  sent: number,
  rest: Partial<FaultCase> = {},
): FaultCase {
  return { faults, status: 200, code: null, charged: "in full", sent: [sent, sent], ...rest };
}
