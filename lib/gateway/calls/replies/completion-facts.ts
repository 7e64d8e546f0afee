import { isObject } from "@/lib/contract/json-value";
import { scanObject } from "../../http/scan-json";
import type { Endpoint } from "../../providers/provider-client";
import { findUsage, type ReportedFigures } from "../usage/read-usage";
import { isFailure } from "./is-failure";
import { measureOutput, NO_OUTPUT, type OutputSize } from "./measure-output";
import type { ValuePlace } from "./model-names";

/** The facts that the gateway reads from a completion. */
export interface CompletionFacts {
  /** The reported usage; null where there is none. */
  readonly reported: ReportedFigures | null;
  /** The provider's name of the model; undefined where it tells none. */
  readonly model: unknown;
  /** What was generated, by which the usage is checked and estimated. */
  readonly size: OutputSize;
}

/** Where a completion's usage and model's name stand, in bytes. A missing usage goes after the last member. */
export interface CompletionPlaces {
  readonly usage: ValuePlace & { readonly isMissing: boolean };
  readonly model: ValuePlace | null;
}

const FAILURE = "It sent an error instead of an answer";
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export const decodeText = (bytes: Uint8Array) => decoder.decode(bytes);

/** Reads the facts from a reply. @throws Error for a reply of another form. */
export function readCompletionFacts(endpoint: Endpoint, reply: unknown): CompletionFacts {
  if (endpoint === "embeddings") return readListFacts(reply, "data");
  return endpoint === "moderations" ? readListFacts(reply, "results") : readChatFacts(reply);
}

/** @throws Error for anything but an object with choices, and for one that tells a failure. */
function readChatFacts(completion: unknown): CompletionFacts {
  const reply = (completion ?? {}) as Record<string, unknown>;
  if (isFailure(reply)) throw new Error(FAILURE);
  const { choices } = reply;
  const reported = findUsage(reply);
  if (!Array.isArray(choices) || (choices.length === 0 && !reported))
    throw new Error("The provider's reply has no choices");
  // Clients read the fields of each choice.
  if (!choices.every(isObject)) throw new Error("A choice of the provider's reply is no object");
  return { reported, model: reply.model, size: measureOutput(choices, "message") };
}

/**
 * Reads the facts of a reply with embeddings or moderations, which generate no tokens. @throws Error for anything but
 * an object with that list, and for an empty one, since every call has an input.
 */
function readListFacts(reply: unknown, list: "data" | "results"): CompletionFacts {
  const members = (reply ?? {}) as Record<string, unknown>;
  if (isFailure(members)) throw new Error(FAILURE);
  const { [list]: items } = members;
  if (!Array.isArray(items) || items.length === 0) throw new Error(`The provider's reply has no ${list}`);
  const reported = findUsage(members);
  const input = reported && { ...reported, completionTokens: 0 };
  return { reported: input, model: members.model, size: NO_OUTPUT };
}

/** Where the parts stand that the gateway may write. Expects a text that `readCompletionFacts` accepts. */
export function findPlaces(text: string): CompletionPlaces {
  const { members } = scanObject(text);
  const usage = members.get("usage");
  const model = members.get("model");
  const last = [...members.values()].at(-1);
  const [start, end] = usage ? [usage.valueStart, usage.end] : [last?.end ?? 0, last?.end ?? 0];
  const measure = (offset: number) => measureBefore(text, offset);
  return {
    usage: { start: measure(start), end: measure(end), isMissing: !usage },
    model: model ? { start: measure(model.valueStart), end: measure(model.end) } : null,
  };
}

function measureBefore(text: string, offset: number): number {
  return Buffer.byteLength(text.slice(0, offset));
}
