import { HOUR_MS } from "@/lib/contract/durations";
import type { MediaOrder } from "../media-client";

/** What the field `sandbox` of a request can set. */
interface SandboxOptions {
  /** How long the task takes. */
  readonly takesMs: number;
  readonly outcome: "succeeded" | "failed" | "refused" | "never ends";
}

const defaultMs = { image: 1_000, video: 4_000, music: 2_000 } as const;
const MAX_TASK_MS = HOUR_MS;
const outcomes: readonly unknown[] = ["succeeded", "failed", "refused", "never ends"];

/** `{"takes_ms": 500, "outcome": "failed"}`, which forms write as `sandbox[takes_ms]`. Unknown values are ignored. */
export function readSandboxOptions({ family, extraFields }: MediaOrder): SandboxOptions {
  const inForm = {
    takes_ms: Number(extraFields["sandbox[takes_ms]"] ?? Number.NaN),
    outcome: extraFields["sandbox[outcome]"],
  };
  const { takes_ms, outcome } = (extraFields.sandbox ?? inForm) as { takes_ms?: unknown; outcome?: unknown };
  const isTime = typeof takes_ms === "number" && takes_ms >= 0 && takes_ms <= MAX_TASK_MS;
  return {
    takesMs: isTime ? takes_ms : defaultMs[family],
    outcome: outcomes.includes(outcome) ? (outcome as SandboxOptions["outcome"]) : "succeeded",
  };
}
