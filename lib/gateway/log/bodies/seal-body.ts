import { seal, unsealOrNull } from "../../database/seal";
import { Secret } from "../../secrets/secret";

/** The separately sealed parts of a body. */
type Part = "metadata" | "texts";

/** Seals a part of a call's body, so that it opens only as that part of that call. */
export function sealBody(
  value: object,
  requestId: string,
  part: Part,
  sealing: { key: Uint8Array; random(bytes: number): Uint8Array },
): string {
  return seal(new Secret(JSON.stringify(value)), describeSealedPart(requestId, part), sealing);
}

/** Null if it was encrypted with another secret. */
export function unsealBody<Value>(
  sealed: string,
  requestId: string,
  part: Part,
  key: Uint8Array,
): Value | null {
  const text = unsealOrNull(sealed, describeSealedPart(requestId, part), key);
  return text === null ? null : (JSON.parse(text) as Value);
}

function describeSealedPart(requestId: string, part: Part): string {
  return `body ${part} ${requestId}`;
}
