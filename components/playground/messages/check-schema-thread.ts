import { parseJson } from "@/lib/contract/json-value";
import { findFaultSoFar, findSchemaFault } from "./check-schema";

/** An answer and the JSON schema to check it against, both as text. */
export interface SchemaQuestion {
  readonly text: string;
  readonly schema: string;
  /** Whether the answer is still streaming. Only violations that no further text can repair count then. */
  readonly isLive: boolean;
}

/** The thread that checks answers: it receives questions and answers each with the first fault, or null. */
self.onmessage = ({ data: { text, schema, isLive } }: MessageEvent<SchemaQuestion>) => {
  const read = parseJson(schema);
  self.postMessage(isLive ? findFaultSoFar(text, read) : findSchemaFault(parseJson(text), read));
};
