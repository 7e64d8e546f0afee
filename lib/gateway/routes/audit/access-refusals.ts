import type { AccessRefusal } from "@/lib/contract/operations/audit/audit-logs";
import type { AccessRefusalRecord, AccessRefusalStore } from "../../access/access-refusal-store.sql";
import type { AccessRefusals } from "../../access/access-refusals";
import { toUnixSeconds } from "../../clock";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";

interface Context {
  readonly accessRefusals: Pick<AccessRefusals, "flush">;
  readonly accessRefusalStore: Pick<AccessRefusalStore, "pages">;
}

export function accessRefusalRoutes({
  accessRefusals,
  accessRefusalStore,
}: Context): Handlers<"listAccessRefusals"> {
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
