import * as z from "zod/mini";
import { MAX_CASES, MAX_CHECKS, MAX_VALUE_LENGTH } from "@/lib/contract/bounds";
import { type PromptCheck, promptCheck } from "@/lib/contract/operations/playground/prompts";
import { buildCheck, checkTypeNames, type TypedCases, type TypedCheck } from "./case-values";

const typedCheck = z.strictObject({ type: z.enum(checkTypeNames), value: z.string() }).check(
  z.refine((check) => parseCheck(check) !== null, {
    message: "This check can’t be used: see what it asks for.",
    path: ["value"],
  }),
);

const typedCase = z.strictObject({
  key: z.string(),
  variables: z.record(z.string(), z.string().check(z.maxLength(MAX_VALUE_LENGTH))),
  checks: z.array(typedCheck).check(z.maxLength(MAX_CHECKS)),
});

/** The schema of `TypedCases`. */
export const casesSchema = z.strictObject({
  cases: z.array(typedCase).check(z.maxLength(MAX_CASES)),
}) satisfies z.ZodMiniType<TypedCases>;

/** Returns null if the check is invalid. */
export function parseCheck(check: TypedCheck): PromptCheck | null {
  const read = promptCheck.safeParse(buildCheck(check));
  return read.success ? read.data : null;
}
