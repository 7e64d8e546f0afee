import { readRateLimitModel } from "@/lib/contract/ids";
import type { AccessRefusal, AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import { formatAmount } from "@/lib/money/amount";
import type { AccessRefusalRecord, AccessRefusalStore } from "../../access/access-refusal-store.sql";
import type { AccessRefusals } from "../../access/access-refusals";
import type { AuditChainVerifier } from "../../changes/audit/audit-chain.sql";
import type { AuditChange } from "../../changes/audit/audit-event";
import {
  type AuditLogReader,
  type AuditRecord,
  toAuditFilter,
} from "../../changes/audit/audit-log-reader.sql";
import { describeAuditChanges } from "../../changes/audit/describe-changes";
import { type ClockAndRandom, toNullableUnixSeconds, toUnixSeconds } from "../../clock";
import { defaultBodySettings } from "../../log/bodies/body-settings.sql";
import type { Catalogue, CatalogueModel } from "../../models/catalogue";
import { writePrice, writeUnitPrice } from "../../models/model-entry";
import { notFound } from "../../refusal";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";

/** OpenAI's default for its audit log. */
const DEFAULT_LIMIT = 20;

type Ids = "listAuditLogs" | "retrieveAuditLog" | "retrieveAuditLogHead" | "verifyAuditLogs";

interface Context {
  readonly auditLog: AuditLogReader;
  readonly auditChain: AuditChainVerifier;
  readonly catalogue: Pick<Catalogue, "find">;
  readonly runtime: ClockAndRandom;
}

export function auditLogRoutes({ auditLog, auditChain, catalogue, runtime }: Context): Handlers<Ids> {
  return {
    listAuditLogs: async ({ query }) => {
      const { after, before, limit = DEFAULT_LIMIT, max_changes } = query;
      const page = await paginate(
        auditLog.pages(toAuditFilter(query), max_changes),
        { after, before, limit },
        (event) => toAuditLog(event, catalogue),
      );
      return { ...page, head: (await auditLog.head()).head };
    },
    retrieveAuditLog: async ({ params: { audit_log_id: id } }) => {
      const event = await auditLog.find(id);
      if (!event) throw notFound("audit event", id, "audit_log_id");
      return toAuditLog(event, catalogue);
    },
    retrieveAuditLogHead: async () => {
      const { head, atMs } = await auditLog.head();
      return { object: "organization.audit_log.head", ...head, effective_at: toNullableUnixSeconds(atMs) };
    },
    verifyAuditLogs: async () => {
      const { head, fault } = await auditChain.verifyChain(runtime.clock.nowMs());
      return {
        object: "organization.audit_log.verification",
        ...head,
        verified_at: toUnixSeconds(runtime.clock.nowMs()),
        fault: fault && { audit_log_id: fault.event, message: fault.message },
      };
    },
  };
}

function toAuditLog(event: AuditRecord, catalogue: Context["catalogue"]): AuditLog {
  const { id, type, at_ms, project_id, projectName, request_id, changes, moreChanges, hash } = event;
  return {
    id,
    type,
    effective_at: toUnixSeconds(at_ms),
    actor: toActor(event),
    ...(project_id !== null && { project: { id: project_id, name: projectName ?? "" } }),
    request_id,
    [type]: describeAuditChanges(type, changes),
    changes: changes.map((change) => ({ ...change, ...findDefaults(change, catalogue) })),
    ...(moreChanges > 0 && { more_changes: moreChanges }),
    hash,
  };
}

/** What held before the first save of something that has a default, and holds after limits were given back. */
function findDefaults(change: AuditChange, catalogue: Context["catalogue"]) {
  const { object, id, before, after } = change;
  const limits =
    object === "rate_limits" && before && !after
      ? catalogue.find(readRateLimitModel(id))?.defaultRateLimits
      : undefined;
  return { default_before: findDefaultBefore(change, catalogue), ...(limits && { default_after: limits }) };
}

function findDefaultBefore({ object, id, before }: AuditChange, catalogue: Context["catalogue"]) {
  if (before !== null) return null;
  if (object === "rate_limits") return catalogue.find(readRateLimitModel(id))?.defaultRateLimits ?? null;
  if (object === "model_prices") return readDefaultPrices(catalogue.find(id)?.definedPrices);
  if (object === "body_settings") return defaultBodyColumns;
  return object === "payment_approval" ? { above: null } : null;
}

const defaultBodyColumns = {
  mode: defaultBodySettings.mode,
  retention_days: defaultBodySettings.retentionDays,
  redactions: JSON.stringify(defaultBodySettings.redactions),
};

function readDefaultPrices(definedPrices: CatalogueModel["definedPrices"] | undefined) {
  if (!definedPrices || (!definedPrices.price && !definedPrices.unitPrice)) return null;
  const { rate, batchRate, price, unitPrice, audioPrice } = definedPrices;
  return {
    rate: formatAmount(rate),
    batch_rate: batchRate && formatAmount(batchRate),
    // Models priced by the unit store zeros.
    input_per_1m: price ? formatAmount(price.inputPer1m) : "0",
    output_per_1m: price ? formatAmount(price.outputPer1m) : "0",
    unit_price: unitPrice && JSON.stringify(writeUnitPrice(unitPrice)),
    audio_price: audioPrice && JSON.stringify(writePrice(audioPrice)),
  };
}

function toActor(event: AuditRecord): AuditLog["actor"] {
  const { actor_kind: kind, actor_id: id, actor_user_id: userId, actor_ip: ip_address, keyName } = event;
  if (kind === null || id === null) return null;
  if (kind === "session") {
    const user = userId === null ? null : { id: userId, email: event.actor_email };
    const key = { api_key_id: event.actor_key_id, api_key_name: keyName };
    return { type: "session", session: { id, ip_address, user, ...key } };
  }
  const account = event.serviceAccountId;
  const key = { id, name: keyName, ip_address };
  if (account === null) return { type: "api_key", api_key: { ...key, type: "user" } };
  return { type: "api_key", api_key: { ...key, type: "service_account", service_account: { id: account } } };
}

interface AccessRefusalsContext {
  readonly accessRefusals: Pick<AccessRefusals, "flush">;
  readonly accessRefusalStore: Pick<AccessRefusalStore, "pages">;
}

export function accessRefusalRoutes({
  accessRefusals,
  accessRefusalStore,
}: AccessRefusalsContext): Handlers<"listAccessRefusals"> {
  return {
    async listAccessRefusals({ query }) {
      const {
        "refused_at[gte]": from,
        "refused_at[lt]": until,
        caller_ids,
        codes,
        ip_addresses,
        ...page
      } = query;
      const times = { fromMs: toMs(from), untilMs: toMs(until) };
      const filter = { ...times, callerIds: caller_ids, codes, ipAddresses: ip_addresses };
      // Stores what was counted so far, so that the list is up to date.
      await accessRefusals.flush();
      return paginate(accessRefusalStore.pages(filter), page, toAccessRefusal);
    },
  };
}

function toMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

function toAccessRefusal({ caller, ...row }: AccessRefusalRecord): AccessRefusal {
  return {
    object: "organization.access_refusal",
    id: row.id,
    first_at: toUnixSeconds(row.firstAtMs),
    last_at: toUnixSeconds(row.lastAtMs),
    caller: caller && { type: caller.kind, id: caller.id, name: caller.name },
    operation: row.operation,
    project_id: row.projectId,
    ip_address: row.ip,
    status: row.status,
    code: row.code,
    refusals: row.refusals,
    request_id: row.requestId,
  };
}
