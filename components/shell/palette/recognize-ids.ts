import { paths } from "@/lib/console/paths";
import type { FoundObject } from "../shell-data";

/** Objects with pages of their own that are too many to be searched by name: only their ids are recognized. */
const pages: ReadonlyMap<string, { kind: string; href: (id: string) => string }> = new Map([
  ["req", { kind: "Request", href: paths.request }],
  ["hold", { kind: "Request", href: (id) => paths.request(id.replace(/^hold/, "req")) }],
  ["txn", { kind: "Ledger entry", href: paths.ledgerEntry }],
  ["task", { kind: "Task", href: paths.task }],
  ["batch", { kind: "Batch", href: paths.batch }],
  ["audit", { kind: "Audit event", href: paths.auditLog }],
]);

/** Finds the ids in a text that was pasted from anywhere, such as an error or an address. */
export function recognizeIds(text: string): FoundObject[] {
  const ids = new Set([...text.matchAll(/(?<![a-z0-9])([a-z]+)_[a-z0-9]{10,}/g)].map(([id]) => id));
  return [...ids].flatMap((id) => {
    const page = pages.get(id.slice(0, id.indexOf("_")));
    return page ? { kind: page.kind, id, label: id, href: page.href(id) } : [];
  });
}
