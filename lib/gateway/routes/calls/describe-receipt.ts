import type { RefusalFacts } from "@/lib/contract/errors";
import type { LoggedRequest, RequestReceipt } from "@/lib/contract/operations/calls/requests";
import { formatAmount, type Nano, parseAmount, toNano, ZERO } from "@/lib/money/amount";
import type { Caller } from "../../access/caller";
import { toUnixSeconds } from "../../clock";
import type { LedgerReader } from "../../ledger/reads/ledger-reader.sql";
import type { BodyState } from "../../log/bodies/read-body";
import type { CheckFigures } from "../../log/requests/receipt-details";
import { listRequestChecks } from "../../log/requests/request-checks";
import type { RequestDetails, RequestRecord } from "../../log/requests/request-record";
import { maskSecrets } from "../../secrets/secret";
import { formatUnits } from "../format-units";
import { toLedgerEntry } from "../money/balance";

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

/** A call in the API's form for lists, with the figures that the caller may see. */
export function toRequest(
  request: RequestRecord,
  permissionsIn: Caller["permissionsIn"],
  currency: string,
): LoggedRequest {
  return {
    object: "request",
    id: request.id,
    created_at: toUnixSeconds(request.atMs),
    project_id: request.projectId,
    project_name: request.projectName,
    key_id: request.keyId,
    key_name: request.keyName,
    model: request.model,
    provider: request.provider,
    stream: request.stream,
    outcome: request.outcome,
    status: request.status,
    refused_by: request.refusedBy,
    prompt_tokens: request.promptTokens,
    completion_tokens: request.completionTokens,
    cached_tokens: request.cachedTokens,
    units: request.units === null ? null : formatUnits(request.units),
    unit: request.unit,
    ...describeNeed(request.refusedBy === null ? {} : pickVisibleFacts(permissionsIn, request.facts)),
    estimated_tokens: request.estimatedTokens,
    amount: request.amount === null ? null : formatAmount(request.amount),
    currency,
    first_byte_ms: request.firstByteMs,
    duration_ms: request.durationMs,
    batch_id: request.batchId,
  };
}

/** Removes the figures of balance and spend limits that the caller may not read. */
function pickVisibleFacts(
  permissionsIn: Caller["permissionsIn"],
  { balance, spend_limit, circuit, ...facts }: RefusalFacts,
): RefusalFacts {
  const seesBalance = permissionsIn(null).has("api.balance.read");
  const seesSpending = spend_limit && permissionsIn(spend_limit.project).has("api.spend_limits.read");
  return {
    ...facts,
    circuit: permissionsIn(null).has("api.providers.read")
      ? circuit
      : without(circuit, "provider", "provider_model"),
    balance: seesBalance ? balance : without(balance, "available"),
    spend_limit: seesSpending ? spend_limit : without(spend_limit, "threshold", "spent"),
  };
}

function without<Figures extends object>(figures: Figures | undefined, ...names: (keyof Figures & string)[]) {
  const visible = Object.entries(figures ?? {}).filter(([name]) => !names.some((one) => one === name));
  return figures && (Object.fromEntries(visible) as Figures);
}

/** What the check that refused a call needed, what was left of it, and the limit of then; null where there are none. */
function describeNeed({ limit, balance, spend_limit: spending }: RefusalFacts): {
  needed: string | null;
  remaining: string | null;
  limit: string | null;
} {
  if (limit) {
    const { requested, max, used } = limit;
    return { needed: String(requested), remaining: String(Math.max(0, max - used)), limit: String(max) };
  }
  if (spending) {
    const { threshold, spent, required } = spending;
    const remaining = threshold && spent ? subtract(threshold, spent) : null;
    return { needed: required, remaining, limit: threshold ?? null };
  }
  return { needed: balance?.required ?? null, remaining: balance?.available ?? null, limit: null };
}

function subtract(limit: string, spent: string): string {
  const left = toNano((parseAmount(limit) ?? ZERO) - (parseAmount(spent) ?? ZERO));
  return formatAmount(left < ZERO ? ZERO : left);
}
