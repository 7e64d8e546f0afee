import * as z from "zod/mini";
import { decimal } from "@/lib/contract/schema";

/** An amount in whole cents. */
export const wholeCents = decimal.check(
  z.regex(/^\d+(?:\.\d{1,2})?$/, "must have at most two decimal places"),
);
