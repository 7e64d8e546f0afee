import type { ProviderFault } from "./provider-script";

/** Something a provider does, and all that may come of it. */
export interface FaultCase {
  readonly faults: readonly ProviderFault[];
  /** Where only one form of call can meet it. */
  readonly isStream?: boolean;
  readonly model?: string;
  /** What the client is answered. A stream that had begun ends in an error event with `code`. */
  readonly status: number;
  readonly streamStatus?: number;
  /** Null where the answer is complete after all. */
  readonly code: string | null;
  /** "what came" is for streams: the words that went on, counted. What is complete is charged in full. */
  readonly charged: "nothing" | "what came" | "in full";
  /** How often the provider gets the call, at least and at most. */
  readonly sent: readonly [least: number, most: number];
}

/** A case without a charge, sent once. */
export function costsNothing(fault: ProviderFault, code: string, rest: Partial<FaultCase> = {}): FaultCase {
  const status = code === "provider_timeout" ? 504 : 502;
  return { faults: [fault], status, code, charged: "nothing", sent: [1, 1], ...rest };
}

/** A fault amid an answer: a whole one costs nothing, of a stream what came is charged. */
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

/** An answer that is well after all. */
export function isAnswered(
  faults: readonly ProviderFault[],
  sent: number,
  rest: Partial<FaultCase> = {},
): FaultCase {
  return { faults, status: 200, code: null, charged: "in full", sent: [sent, sent], ...rest };
}
