"use client";

import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { isGone, type Problem } from "@/lib/console/gateway/problem";

/**
 * Shows in a form why its save was refused: at the fields with the API's names, focusing the first, or else as the
 * form's own error (`root`). Keeps what was typed.
 */
export function showProblem<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  names: readonly FieldPath<Values>[],
  problem: Problem,
): void {
  const blamed = names.filter((name) => problem.fields[name] !== undefined);
  if (blamed.length === 0)
    form.setError("root", { type: isGone(problem) ? "not_found" : problem.code, message: problem.message });
  for (const [index, name] of blamed.entries()) {
    const message = problem.fields[name] ?? problem.message;
    form.setError(name, { type: problem.code, message }, { shouldFocus: index === 0 });
  }
}
