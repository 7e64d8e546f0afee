import type { ReadParameters } from "@/lib/console/reads";

/** The parts of the address that choose among the ledger's entries. */
export interface LedgerFilter {
  readonly kind: string;
  readonly model: string;
  readonly requestId: string;
}

const kinds = ["payment", "charge", "provider_variance"];

/** The query of the ledger. A kind that the gateway does not know counts as no filter. */
export function ledgerParameters({ kind, model, requestId }: LedgerFilter): ReadParameters {
  return {
    kind: kinds.includes(kind) ? kind : undefined,
    model: model || undefined,
    request_id: requestId || undefined,
    limit: "50",
  };
}
