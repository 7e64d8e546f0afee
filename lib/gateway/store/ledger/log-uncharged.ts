import type { HoldDraft, RefusedRequest, Release } from "../../balance/funds";
import type { LedgerStatements } from "./ledger-statements";

type Statements = Pick<LedgerStatements, "logUncharged">;

/** Logs a call whose hold was given back whole. */
export function logReleased(
  { logUncharged }: Statements,
  { requestId, createdAtMs, projectId, keyId, model, amount }: HoldDraft,
  { stream, outcome, status, estimatedTokens, firstByteMs, durationMs, provider, trace }: Release["end"],
): void {
  const call = [requestId, createdAtMs, projectId, keyId, model, Number(stream), outcome, status] as const;
  const figures = [null, amount, estimatedTokens, firstByteMs, durationMs] as const;
  logUncharged.run(...call, ...figures, null, provider, trace);
}

/** Logs a call that was refused before it had a hold. */
export function logRefused({ logUncharged }: Statements, refused: RefusedRequest): void {
  const { requestId, atMs, projectId, keyId, model, stream, status, refusedBy, estimatedTokens } = refused;
  const call = [requestId, atMs, projectId, keyId, model, Number(stream), "refused", status] as const;
  const figures = [refusedBy, null, estimatedTokens, null, null] as const;
  logUncharged.run(...call, ...figures, JSON.stringify(refused.facts) ?? null, null, refused.trace ?? null);
}
