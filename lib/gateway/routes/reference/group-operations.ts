import type { Operation } from "@/lib/contract/operation";
import { operationTable } from "@/lib/contract/operation-table";
import { groupBy } from "../../lists/group-by";

export interface OperationGroup {
  readonly id: string;
  readonly heading: string;
  readonly operations: readonly Operation[];
}

/** Every operation once, grouped by the resource of its permission, in the table's order. */
export function groupOperations(): OperationGroup[] {
  const groups = groupBy(operationTable, findResource);
  return [...groups].map(([id, operations]) => ({ id, heading: writeHeading(id), operations }));
}

function findResource({ permission }: Operation): string {
  return typeof permission === "string" ? (permission.split(".")[1] ?? "") : "signing_in";
}

function writeHeading(resource: string): string {
  const words = resource.replaceAll("_", " ").replace("api", "API");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
