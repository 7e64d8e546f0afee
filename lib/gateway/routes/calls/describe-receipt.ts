import type { RefusalFacts } from "@/lib/contract/errors";
import type { RequestReceipt } from "@/lib/contract/operations/requests";
import { formatAmount, type Nano, toNano, ZERO } from "@/lib/money/amount";
import type { Caller } from "../../access/caller";
import type { LedgerReader } from "../../balance/ledger/ledger-reader";
import type { BodyState } from "../../requests/body-state";
import type { CheckFigures } from "../../requests/call-trace";
import { listRequestChecks } from "../../requests/request-checks";
import type { RequestDetails, RequestRecord } from "../../requests/request-log-reader";
import { maskSecrets } from "../../secrets/mask-secrets";
import { toLedgerEntry } from "../money/describe-entry";
import { toUnixSeconds } from "../unix-seconds";
import { toRequest } from "./describe-request";

const MAX_ENTRIES = 10;

/** A call's receipt, with the parts that the caller may see. */
export async function toReceipt(
  { request, held, facts, trace, key, taskId }: RequestDetails,
  ledger: Pick<LedgerReader, "pages">,
  { permissionsIn }: Caller,
  { body, currency }: { readonly body: BodyState; readonly currency: string },
): Promise<RequestReceipt> {
  const requestId = request.id;
  const entries = await ledger.pages({ requestId }).read({ limit: MAX_ENTRIES });
  const seesLedger = permissionsIn(null).has("api.ledger.read");
  const visibleEntries = entries.filter(({ kind }) => kind === "charge" || seesLedger);
  return {
    object: "request.receipt",
    id: requestId,
    request: toRequest(request, currency),
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
      facts: visibleFacts(permissionsIn, facts),
      seen: trace.checks && seenBy(permissionsIn, trace.checks),
    }),
    hold: held === null ? null : toHold(held, request, currency),
    resets_in_ms: facts.limit?.resets_in_ms ?? facts.circuit?.retry_in_ms ?? null,
    entries: visibleEntries.map((entry) => toLedgerEntry(entry, currency)),
    attempts: trace.attempts.map((attempt) => ({
      ...attempt,
      // The provider chose this text, which may even contain the gateway's key.
      provider_request_id: attempt.provider_request_id && maskSecrets(attempt.provider_request_id),
    })),
    client: trace.client,
    settings: trace.settings,
    body: {
      state: body.state,
      kept_until: body.untilMs === null ? null : toUnixSeconds(body.untilMs),
      is_readable: permissionsIn(request.projectId).has("api.request_bodies.read"),
      metadata: body.metadata,
    },
  };
}

/** Removes the figures of balance and spend limits that the caller may not read. */
function visibleFacts(
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

/** The same for the figures of the checks. */
function seenBy(permissionsIn: Caller["permissionsIn"], checks: CheckFigures): CheckFigures {
  const { available, spending } = checks;
  const seesBalance = permissionsIn(null).has("api.balance.read");
  const seesSpending = spending && permissionsIn(spending.project).has("api.spend_limits.read");
  return { ...checks, available: seesBalance ? available : null, spending: seesSpending ? spending : null };
}

function without<Figures extends object>(figures: Figures | undefined, ...names: (keyof Figures & string)[]) {
  const visible = Object.entries(figures ?? {}).filter(([name]) => !names.some((one) => one === name));
  return figures && (Object.fromEntries(visible) as Figures);
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
