import * as z from "zod/mini";
import { decimal, positiveDecimal } from "@/lib/contract/schema";
import type { ClassFieldName } from "./price-fields";
import type { TypedClasses } from "./typed-classes";

const optional = (schema: z.ZodMiniType, message: string) =>
  z.string().check(z.refine((text) => text === "" || z.safeParse(schema, text).success, { message }));
const price = optional(decimal, "must be a number, or empty");
const WHOLE = /^\d{1,8}(\.0+)?$/;

/** The schemas of the fields in forms. */
export const typedClasses = {
  cached_input: price,
  cache_write_5m: price,
  cache_write_1h: price,
  long_from: z.string().check(
    z.refine((text) => text === "" || (WHOLE.test(text) && Number(text) >= 1), {
      message: "must be a whole number of tokens, or empty",
    }),
  ),
  long_input: price,
  long_output: price,
  long_cached_input: price,
  long_cache_write_5m: price,
  long_cache_write_1h: price,
  priority_rate: optional(positiveDecimal, "must be a number greater than 0, or empty"),
} satisfies Record<ClassFieldName, unknown>;

const longNames = [
  "long_input",
  "long_output",
  "long_cached_input",
  "long_cache_write_5m",
  "long_cache_write_1h",
] as const;
const hasLongPrice = (typed: TypedClasses) => longNames.some((name) => typed[name] !== "");

/** Long prompts have a length and a price, or neither. */
export const wholeLongContext = [
  z.refine<TypedClasses>((typed) => typed.long_from !== "" || !hasLongPrice(typed), {
    path: ["long_from"],
    message: "is required with a price of long prompts",
  }),
  z.refine<TypedClasses>((typed) => typed.long_from === "" || hasLongPrice(typed), {
    path: ["long_input"],
    message: "is required with a length, or another price of long prompts",
  }),
] as const;
