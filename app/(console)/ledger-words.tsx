import { groupDigits } from "@/components/ui/group-digits";
import type { LedgerEntry } from "@/lib/contract/operations/balance";

export const entryKinds: Record<LedgerEntry["kind"], string> = {
  payment: "Payment",
  charge: "Charge",
  provider_variance: "Provider variance",
};

/** What an entry is for: the model that was called, or the reference of a payment. */
export function nameSubject({ model, reference }: Pick<LedgerEntry, "model" | "reference">) {
  if (model) return <code className="font-mono text-sm wrap-anywhere">{model}</code>;
  return <span className="wrap-anywhere text-muted">{reference ?? "No reference"}</span>;
}

/** `3 in, 12 out`; nothing for an entry that is about no call. */
export function countTokens({ prompt_tokens, completion_tokens }: LedgerEntry): string | null {
  if (prompt_tokens === null || completion_tokens === null) return null;
  return `${groupDigits(String(prompt_tokens))} in, ${groupDigits(String(completion_tokens))} out`;
}
