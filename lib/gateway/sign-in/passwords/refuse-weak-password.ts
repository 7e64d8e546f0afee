import { invalid } from "../../refusal";
import { hasOnlyCommonParts, normalizeSpellings } from "./common-parts";
import { isAmongMostUsed } from "./most-used-passwords";

/** @throws Refusal 400 for an easily guessed password: the address, one repeated character, or a commonly used one. */
export async function refuseWeakPassword(password: string, email: string): Promise<void> {
  const folded = password.toLowerCase();
  const [name = ""] = email.split("@");
  if (folded.includes(email) || (name.length >= 4 && folded.replaceAll(name, "").length < 8)) {
    throw invalid("password", "The password must not be taken from the email address.");
  }
  if (new Set(folded).size < 5)
    throw invalid("password", "The password must have at least five different characters.");
  if (hasOnlyCommonParts(password) || (await isAmongMostUsed(normalizeSpellings(password)))) {
    throw invalid(
      "password",
      "This is a commonly used password. Choose one that nobody else would think of.",
    );
  }
}
