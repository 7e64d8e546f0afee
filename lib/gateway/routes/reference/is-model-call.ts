import type { Operation } from "@/lib/contract/operation";

/** Whether an operation calls a model: limits and the balance can refuse it, and its provider can fail. */
export function isModelCall({ effect, permission }: Pick<Operation, "effect" | "permission">): boolean {
  return effect === "pays" && permission === "api.completions.write";
}
