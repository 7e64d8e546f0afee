import { invalid, type Refusal } from "../../refusal";
import type { RequestHeaders } from "../../request-headers";
import { type BodyPieces, joinPieces } from "../body-reader";

const MAX_FIELDS = 100;
const FORM = /^multipart\/form-data\b/i;

/** Returns true for a multipart form. */
export function isForm(headers: RequestHeaders): boolean {
  return FORM.test(headers.get("content-type") ?? "");
}

/**
 * Reads a short form of text fields as a JSON object.
 * @throws Refusal 400 for a malformed form, a file, a repeated field, or more than 100 fields.
 */
export async function formToJson(pieces: BodyPieces, headers: RequestHeaders): Promise<Uint8Array> {
  const type = headers.get("content-type") ?? "";
  if (!/;\s*boundary=/i.test(type)) throw malformedForm("Its content-type names no boundary.");
  const fields = new Map<string, string>();
  for (const [name, value] of await parse(pieces, type)) {
    if (typeof value !== "string") throw invalid(name, `${name} can't be a file here.`);
    if (fields.has(name)) throw invalid(name, `"${name}" appears twice in the form; send it once.`);
    if (fields.size === MAX_FIELDS) throw malformedForm(`It has more than ${MAX_FIELDS} fields: send fewer.`);
    fields.set(name, value);
  }
  return new TextEncoder().encode(JSON.stringify(Object.fromEntries(fields)));
}

async function parse(pieces: BodyPieces, type: string): Promise<FormData> {
  const response = new Response(new Uint8Array(joinPieces(pieces)), { headers: { "content-type": type } });
  try {
    return await response.formData();
  } catch {
    throw malformedForm("Its parts can't be read.");
  }
}

function malformedForm(why: string): Refusal {
  return invalid("body", `The form is malformed. ${why} Send multipart/form-data as HTTP libraries make it.`);
}
