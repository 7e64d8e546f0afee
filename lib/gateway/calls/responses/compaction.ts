import { isObject } from "@/lib/contract/json-value";
import { seal, unsealOrNull } from "../../database/seal";
import { invalid } from "../../refusal";
import { Secret } from "../../secrets/secret";

/** What seals the summaries of conversations. */
export interface CompactionSealing {
  readonly secret: Uint8Array;
  readonly runtime: { random(bytes: number): Uint8Array };
}

/** How a summary begins that was sealed here; those of providers begin otherwise. */
const MARK = "ghc1_";

/** What the model is asked for in place of an answer. */
export const SUMMARY_REQUEST =
  "Summarize the conversation so far, so that it can be continued from the summary alone. Keep the user's goals and wishes, what was decided and why, names, paths, figures and code that still matter, what was done with which result, and what is left to do. Answer with the summary and nothing else.";

/** A summary that only this gateway can read, and only for the project. */
export function sealSummary(
  { secret, runtime }: CompactionSealing,
  projectId: string,
  summary: string,
): string {
  const random = (bytes: number) => runtime.random(bytes);
  return MARK + seal(new Secret(summary), describeSealed(projectId), { key: secret, random });
}

/**
 * The items with each summary that was sealed here as a message of the user. A provider's own stays as it is.
 * @throws Refusal 400 for one that was changed, or sealed for another project.
 */
export function openSummaries(
  { secret }: Pick<CompactionSealing, "secret">,
  projectId: string,
  items: readonly unknown[],
): readonly unknown[] {
  return items.map((item, index) => {
    const { type, encrypted_content: sealed } = isObject(item) ? item : {};
    if (type !== "compaction" || typeof sealed !== "string" || !sealed.startsWith(MARK)) return item;
    const summary = unsealOrNull(sealed.slice(MARK.length), describeSealed(projectId), secret);
    if (summary === null)
      throw invalid(
        `input.${index}.encrypted_content`,
        "This compaction can't be read: it was changed, or made for another project.",
      );
    const text = `A summary of the conversation so far:\n\n${summary}`;
    return { type: "message", role: "user", content: [{ type: "input_text", text }] };
  });
}

function describeSealed(projectId: string): string {
  return `compaction of ${projectId}`;
}
