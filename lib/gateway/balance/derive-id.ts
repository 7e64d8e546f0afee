/** A request has one hold and one charge, whose ids are the request's with another prefix. `id` is any of the three. */
export function deriveId(prefix: "hold" | "txn", id: string): string {
  return prefix + id.slice(id.indexOf("_"));
}
