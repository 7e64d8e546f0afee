import type { Check } from "@/lib/dev/checks/check";

/**
 * Returns the checks whose name contains one of the words; all without words.
 * @throws Error for a word that no name contains: a misspelled check would be left out unnoticed.
 */
export function selectChecks<Named extends Pick<Check, "name">>(checks: Named[], words: string[]): Named[] {
  for (const word of words)
    if (!checks.some(({ name }) => name.includes(word)))
      throw new Error(`No check is called "${word}": ${checks.map(({ name }) => name).join(", ")}`);
  return checks.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
}
