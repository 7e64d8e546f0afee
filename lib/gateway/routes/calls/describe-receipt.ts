import type { RequestReceipt } from "@/lib/contract/operations/calls/requests";
import { formatAmount, type Nano, toNano, ZERO } from "@/lib/money/amount";
import type { Caller } from "../../access/caller";
import type { LedgerReader } from "../../ledger/reads/ledger-reader.sql";
import type { BodyState } from "../../log/bodies/read-body";
import type { CheckFigures } from "../../log/requests/receipt-details";
import { listRequestChecks } from "../../log/requests/request-checks";
import type { RequestDetails, RequestRecord } from "../../log/requests/request-record";
import { maskSecrets } from "../../secrets/mask-secrets";
import { toUnixSeconds } from "../../unix-seconds";
import { toLedgerEntry } from "../money/balance";
import { toRequest } from "./describe-request";
import { pickVisibleFacts } from "./pick-visible-facts";

const MAX_ENTRIES = 10;

/** A call's receipt, with the parts that the caller may see. */
export async function toReceipt(
  { request, held, receiptDetails, key, taskId }: RequestDetails,
  ledger: Pick<LedgerReader, "pages">,
  { permissionsIn }: Pick<Caller, "permissionsIn">,
  { body, currency }: { readonly body: BodyState; readonly currency: string },
): Promise<RequestReceipt> {
  const requestId = request.id;
  const { facts } = request;
  const entries = await ledger.pages({ requestId }).read({ limit: MAX_ENTRIES });
  const seesLedger = permissionsIn(null).has("api.ledger.read");
  const visibleEntries = entries.filter(({ kind }) => kind === "charge" || seesLedger);
  return {
    object: "request.receipt",
    id: requestId,
    request: toRequest(request, permissionsIn, currency),
    task_id: taskId,
    key: key && {
      id: request.keyId,
      kind: key.kind,
      name: key.name,
      last_four: key.lastFour,
      owner: key.owner,
      is_active: key.isActive,
    },
    checks: listRequestChecks({
      request,
      held,
      facts: pickVisibleFacts(permissionsIn, facts),
      seen: receiptDetails.checks && omitUnseenChecks(permissionsIn, receiptDetails.checks),
    }),
    hold: held === null ? null : toHold(held, request, currency),
    resets_in_ms: facts.limit?.resets_in_ms ?? facts.circuit?.retry_in_ms ?? null,
    entries: visibleEntries.map((entry) => toLedgerEntry(entry, currency)),
    attempts: receiptDetails.attempts.map((attempt) => ({
      ...attempt,
      // The provider chose this text, which may even contain the gateway's key.
      provider_request_id: attempt.provider_request_id && maskSecrets(attempt.provider_request_id),
    })),
    client: receiptDetails.client,
    settings: receiptDetails.settings,
    body: {
      state: body.state,
      kept_until: body.untilMs === null ? null : toUnixSeconds(body.untilMs),
      is_readable: permissionsIn(request.projectId).has("api.request_bodies.read"),
      metadata: body.metadata,
    },
  };
}

/** Removes from the checks the figures of balance and spend limits that the caller may not read. */
function omitUnseenChecks(permissionsIn: Caller["permissionsIn"], checks: CheckFigures): CheckFigures {
  const { available, spending } = checks;
  const seesBalance = permissionsIn(null).has("api.balance.read");
  const seesSpending = spending && permissionsIn(spending.project).has("api.spend_limits.read");
  return { ...checks, available: seesBalance ? available : null, spending: seesSpending ? spending : null };
}

function toHold(held: Nano, { outcome, amount }: RequestRecord, currency: string): RequestReceipt["hold"] {
  const isOpen = outcome === "in_progress";
  return {
    amount: formatAmount(held),
    released: isOpen ? null : formatAmount(toNano(held - (amount ?? ZERO))),
    currency,
    state: isOpen ? "open" : amount === null ? "released" : "settled",
  };
}
