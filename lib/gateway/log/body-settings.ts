import type { BodyMode, BodySettingsDraft } from "@/lib/contract/operations/calls/request-bodies";
import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { Mirror } from "../changes/mirror";
import type { Transaction } from "../changes/transaction";
import type { Effects } from "../effects";
import { invalid } from "../refusal";
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

export interface BodySettingsStore {
  list(): Promise<BodySettings[]>;
  /** Null where none are set. */
  find(projectId: string): Promise<BodySettings | null>;
  save(transaction: Transaction, settings: BodySettings & { readonly setAtMs: number }): Promise<void>;
}

/** The settings of a project that never set any. */
export const defaultBodySettings = { mode: "off", retentionDays: 30, redactions: [] } as const;

/** The settings of every project, in memory. */
export class BodySettingsMirror {
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

  following(store: Pick<BodySettingsStore, "list" | "find">): Mirror {
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
  readonly bodySettingsMirror: BodySettingsMirror;
  readonly effects: Effects;
}

/** Changes a project's settings from the next call on. @throws Refusal 400 for an invalid pattern. */
export function saveBodySettings(
  { bodySettings, effects, ...context }: BodySettingsContext,
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
    const saved = { projectId, mode, retentionDays, redactions, setAtMs: effects.clock.nowMs() };
    await bodySettings.save(transaction, saved);
    return saved;
  });
}
