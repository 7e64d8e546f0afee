import { Refusal } from "../../refusal";

/** Returns the refusal that `admit` throws. @throws Error if the call was admitted. */
export function catchRefusal(admit: () => unknown): Refusal {
  try {
    admit();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error("It was let through");
}
