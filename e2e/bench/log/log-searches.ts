import { DAY_MS, HOUR_MS } from "@/lib/contract/durations";
import type { RequestFilter } from "@/lib/gateway/log/requests/request-record";
import { toNano } from "@/lib/money/amount";
import { keyIdAt, memberIdAt, modelIdAt, projectIdAt, rare } from "./seed-calls";

/** The amount that about 2 % of calls exceed at a price scale of 1. */
const DEAR = 300_000n;

/**
 * Returns filters of the requests screen, alone and combined. `untilMs` is the time of the last call, `requestId` an
 * early call of the log, and `priceScale` the price level of the log.
 */
export function logSearches(log: {
  readonly untilMs: number;
  readonly requestId: string;
  readonly priceScale: number;
}): Readonly<Record<string, Partial<RequestFilter>>> {
  const { untilMs, requestId, priceScale } = log;
  const firstDay = { startMs: untilMs - 90 * DAY_MS, endMs: untilMs - 89 * DAY_MS };
  const dear = { minAmount: toNano(DEAR * BigInt(priceScale)) };
  return {
    "one project": { projectIds: [projectIdAt(3)] },
    "a small project": { projectIds: [projectIdAt(480)] },
    "20 projects": { projectIds: Array.from({ length: 20 }, (_, index) => projectIdAt(20 * index)) },
    "one model": { model: modelIdAt(7) },
    "one provider": { provider: "openai" },
    "a provider with three calls": { provider: rare.provider },
    "one key": { keyIds: [keyIdAt(9)] },
    "a key with three calls": { keyIds: [rare.keyId] },
    "a key that is not there": { keyIds: ["key_none"] },
    "one member": { keyIds: [memberIdAt(4)] },
    "a member with few calls": { keyIds: [memberIdAt(996)] },
    "project and another's key": { projectIds: [projectIdAt(3)], keyIds: [keyIdAt(900)] },
    "a request id": { requestId },
    "a request id that is not there": { requestId: `${requestId.slice(0, -1)}!` },
    completed: { outcome: "completed" },
    refused: { outcome: "refused" },
    "refused by requests": { refusedBy: "max_requests_per_1_minute" },
    "refused by the balance": { refusedBy: "balance" },
    interrupted: { outcome: "interrupted" },
    "status 200": { status: 200 },
    "status 504": { status: rare.status },
    "cost at least, many": dear,
    "cost at least, none": { minAmount: toNano(10n ** 14n) },
    "took 4 s or longer": { minDurationMs: 4_000 },
    "took an hour": { minDurationMs: HOUR_MS },
    "first day": firstDay,
    "first day, one model": { endMs: firstDay.endMs, model: modelIdAt(7) },
    "a small project, failed": { projectIds: [projectIdAt(480)], outcome: "provider_failed" },
    "a small project, dear": { projectIds: [projectIdAt(480)], ...dear },
    "a small project and a model it never used": { projectIds: [projectIdAt(480)], model: modelIdAt(0) },
    "one model, status 502, 4 s or longer": { model: modelIdAt(150), status: 502, minDurationMs: 4_000 },
    "one member, dear": { keyIds: [memberIdAt(4)], ...dear },
    "one key, 4 s or longer, first day": { keyIds: [keyIdAt(900)], minDurationMs: 4_000, ...firstDay },
    "dear, 4 s or longer": { minDurationMs: 4_000, ...dear },
  };
}
