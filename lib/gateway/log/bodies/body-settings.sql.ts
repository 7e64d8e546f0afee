import type { BodyMode, BodySettingsDraft } from "@/lib/contract/operations/calls/request-bodies";
import { type ChangeContext, type ChangeRequest, change } from "../../changes/change";
import type { TableCache } from "../../changes/table-cache";
import { type Transaction, within } from "../../changes/transactions.sql";
import type { ClockAndRandom } from "../../clock";
import type { Reads } from "../../database/database";
import type { Tables } from "../../database/schema";
import { invalid } from "../../refusal";
import { findRedactionFault } from "./redactions";

/** A project's settings for storing the bodies of its calls. */
export interface BodySettings {
  readonly projectId: string;
  readonly mode: BodyMode;
  readonly retentionDays: number;
  readonly redactions: readonly string[];
  /** When they were set; null where they never were. */
  readonly setAtMs: number | null;
}

/** The settings of a project that never set any. */
export const defaultBodySettings = { mode: "off", retentionDays: 30, redactions: [] } as const;

/** The settings of every project, in memory. */
export class BodySettingsCache {
  #byProject = new Map<string, BodySettings>();

  /** The settings of a project; undefined where it stores nothing. */
  findKeeping(projectId: string): BodySettings | undefined {
    const settings = this.#byProject.get(projectId);
    return settings?.mode === "off" ? undefined : settings;
  }

  find(projectId: string): BodySettings {
    return (
      this.#byProject.get(projectId) ?? {
        projectId,
        ...defaultBodySettings,
        setAtMs: null,
      }
    );
  }

  following(store: Pick<BodySettingsStore, "list" | "find">): TableCache {
    return {
      load: async () => {
        this.#byProject = new Map((await store.list()).map((settings) => [settings.projectId, settings]));
      },
      reread: {
        body_settings: async ({ id }) => {
          const settings = await store.find(id);
          if (settings) this.#byProject.set(id, settings);
          else this.#byProject.delete(id);
        },
      },
    };
  }
}

export interface BodySettingsContext extends ChangeContext {
  readonly bodySettings: BodySettingsStore;
  readonly bodySettingsCache: BodySettingsCache;
  readonly runtime: ClockAndRandom;
}

/** Changes a project's settings from the next call on. @throws Refusal 400 for an invalid pattern. */
export function saveBodySettings(
  { bodySettings, runtime, ...context }: BodySettingsContext,
  request: ChangeRequest,
  projectId: string,
  { mode, retention_days: retentionDays, redactions }: BodySettingsDraft,
): Promise<BodySettings> {
  return change(context, request, async (transaction) => {
    for (const [index, pattern] of redactions.entries()) {
      const fault = findRedactionFault(pattern);
      if (fault)
        throw invalid(`redactions.${index}`, `The pattern "${pattern}" ${fault}. Mend it or remove it.`);
    }
    const saved = { projectId, mode, retentionDays, redactions, setAtMs: runtime.clock.nowMs() };
    await bodySettings.save(transaction, saved);
    return saved;
  });
}

type BodySettingsStore = ReturnType<typeof createBodySettingsStore>;

export function createBodySettingsStore(reads: Reads) {
  return {
    async list(): Promise<BodySettings[]> {
      const rows = await reads.selectFrom("body_settings").selectAll().execute();
      return rows.map(toSettings);
    },
    /** Null where none are set. */
    async find(projectId: string): Promise<BodySettings | null> {
      const row = await reads
        .selectFrom("body_settings")
        .selectAll()
        .where("project_id", "=", projectId)
        .executeTakeFirst();
      return row ? toSettings(row) : null;
    },
    async save(
      transaction: Transaction,
      {
        projectId: project_id,
        mode,
        retentionDays,
        redactions,
        setAtMs: set_at_ms,
      }: BodySettings & { readonly setAtMs: number },
    ): Promise<void> {
      const values = {
        mode,
        retention_days: retentionDays,
        redactions: JSON.stringify(redactions),
        set_at_ms,
      };
      await within(transaction)
        .insertInto("body_settings")
        .values({ project_id, ...values })
        .onConflict((conflict) => conflict.column("project_id").doUpdateSet(values))
        .execute();
    },
  };
}

function toSettings(row: Tables["body_settings"]): BodySettings {
  return {
    projectId: row.project_id,
    mode: row.mode,
    retentionDays: row.retention_days,
    redactions: JSON.parse(row.redactions) as string[],
    setAtMs: row.set_at_ms,
  };
}
