import { builtInRateLimits } from "@/lib/contract/calls/rate-limit-table";
import type { Lock } from "../../changes/change";
import { createChangeLog, createTransactions } from "../../changes/transactions.sql";
import { emptyConfiguration } from "../../configuration/configuration";
import { openReads } from "../../database/database";
import { openSqlite } from "../../database/open-sqlite";
import type { ProviderDirectory } from "../../models/providers/provider-directory";
import { ProviderLinks } from "../../providers/provider-link";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import { createStores } from "../create-stores";
import { openCaches } from "../memory/load-state";

/** A model that is there from the start. */
export const MODEL = "sandbox-echo";
const organization = {
  id: "org_1",
  name: "O",
  currency: "USD",
  logo: null,
  time_zone: null,
  number_format: "comma",
} as const;
export const runtime = simulatedRuntime();

/**
 * Opens one gateway's view of the store. All of them must share `lock`, since one database has one writer at a time.
 */
export async function openProcess(path: string, lock: Lock) {
  const sqlite = openSqlite(path);
  const reads = openReads(path);
  const transactions = createTransactions(sqlite);
  const sealing = { key: new Uint8Array(32), random: runtime.random };
  const stores = {
    ...createStores(reads, sealing),
    changeLog: createChangeLog(reads),
    reads,
    transactions,
    organization,
  };
  const endedIds: string[] = [];
  const links = new ProviderLinks(runtime.clock);
  const options = {
    runtime,
    lock,
    configuration: emptyConfiguration,
    defaultRateLimits: builtInRateLimits,
    providerHosts: ["127.0.0.1"],
    hasAlertTarget: false,
    endLostAccess: () => {},
    endAccess: (id: string) => void endedIds.push(id),
    followClosings: (directory: ProviderDirectory) => links.followingClosings(directory),
    logFault: () => {},
  };
  const caches = await openCaches(options, stores);
  return {
    ...stores,
    ...caches,
    runtime,
    defaultRateLimits: builtInRateLimits,
    ended: endedIds,
    links,
    async close() {
      await reads.destroy();
      await transactions.close();
    },
  };
}
export type Process = Awaited<ReturnType<typeof openProcess>>;

/** The objects created so far, for later changes. */
export class CreatedObjects {
  readonly ids = new Map<string, string[]>();
  readonly hashes: string[] = [];

  add(kind: string, id: string): void {
    this.ids.set(kind, [...(this.ids.get(kind) ?? []), id]);
  }

  pickId(kind: string, pick: number): string {
    const ids = this.ids.get(kind) ?? [];
    return ids[pick % Math.max(ids.length, 1)] ?? "none";
  }
}

/** Everything in a process's memory, in a fixed order. */
export function dumpMemory(process: Process, { ids, hashes }: CreatedObjects) {
  const sorted = <Row extends { id: string }>(rows: readonly Row[]) =>
    rows.toSorted((a, b) => a.id.localeCompare(b.id));
  const nowMs = runtime.clock.nowMs();
  const { graph } = process;
  const listIds = (kind: string) => ids.get(kind) ?? [];
  const model = process.catalogue.find(MODEL);
  if (!model) throw new Error(`There is no ${MODEL}`);
  return {
    keys: hashes.map((hash) => process.keyCache.find(hash, nowMs) ?? null),
    adminKeys: listIds("adminKey").map((id) => process.keyCache.findAdminKey(id, nowMs) ?? null),
    sessions: hashes.map((hash) => process.sessionCache.find(hash, nowMs)?.id ?? null),
    users: sorted(process.userCache.list()),
    groups: sorted(process.groupCache.list()),
    projects: listIds("project").map((id) => process.projectCache.find(id) ?? null),
    permissions: listIds("project").map((id) => process.modelPermissionCache.find(id) ?? null),
    bodies: listIds("project").map((id) => process.bodySettingsCache.find(id)),
    limits: listIds("project").map((id) => process.rateLimitCache.effectiveLimits(id, model)),
    roles: sorted(graph.roles()),
    held: [...listIds("user"), ...listIds("group")].map((id) =>
      graph.directRoles({ id }).map(({ assignment }) => assignment),
    ),
    userGroups: listIds("user").map((id) => graph.listGroups(id).toSorted()),
    may: listIds("user").map((id) => [...graph.findPermissions({ kind: "user", id }, null)].toSorted()),
    models: sorted(process.catalogue.list()),
    providers: sorted(process.directory.list()),
    spendLimits: listIds("project").map((id) => process.spendTracker.find(id, nowMs)?.limit ?? null),
    alerts: listIds("project").map((id) =>
      sorted(process.spendAlertCache.list(id).map(({ alert }) => alert)),
    ),
  };
}
