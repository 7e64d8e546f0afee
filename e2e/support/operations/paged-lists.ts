import { operationTable } from "@/lib/contract/operation-table";

/**
 * The operations that answer with pages of rows, which a client continues by `last_id`. The items of a response are in
 * one row.
 */
export const pagedLists = operationTable.filter(
  ({ id, method, reply }) => method === "GET" && id !== "listResponseItems" && "last_id" in findShape(reply),
);

function findShape(schema: object): object {
  return "shape" in schema && typeof schema.shape === "object" ? (schema.shape ?? {}) : {};
}
