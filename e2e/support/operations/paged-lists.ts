import { operationTable } from "@/lib/contract/operation-table";

/** The operations that answer with pages, which a client continues by `last_id`. */
export const pagedLists = operationTable.filter(
  ({ method, reply }) => method === "GET" && "last_id" in findShape(reply),
);

function findShape(schema: object): object {
  return "shape" in schema && typeof schema.shape === "object" ? (schema.shape ?? {}) : {};
}
