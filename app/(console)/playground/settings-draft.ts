import * as z from "zod/mini";
import type { OrganizationModel } from "@/lib/contract/operations/models";

/** The settings as they stand in the form; `temperature` is the text of its field, empty where the model decides. */
export interface SettingsDraft {
  readonly model: string;
  readonly instruction: string;
  readonly temperature: string;
  readonly max_tokens: number | null;
}

/** What the form accepts. `models` knows how much each may write; null where nobody does. */
export function settingsSchema(models: readonly OrganizationModel[] | null) {
  const mostOf = (id: string) => models?.find((model) => model.id === id)?.max_output_tokens;
  return z
    .object({
      model: z.string().check(z.trim(), z.minLength(1, "Name a model.")),
      instruction: z.string(),
      temperature: z.string().check(
        z.refine((text) => text.trim() === "" || (Number(text) >= 0 && Number(text) <= 2), {
          message: "Give a number from 0 to 2.",
        }),
      ),
      max_tokens: z.nullable(z.int().check(z.minimum(1))),
    })
    .check(
      z.refine((draft) => (draft.max_tokens ?? 1) <= (mostOf(draft.model) ?? Number.POSITIVE_INFINITY), {
        message: "This model does not write as much.",
        path: ["max_tokens"],
      }),
    );
}

/** What is sent for a draft that fits its schema. */
export function readSettings(draft: SettingsDraft, models: readonly OrganizationModel[] | null) {
  const id = draft.model.trim();
  const isSandbox = models?.find((model) => model.id === id)?.sandbox ?? null;
  return {
    model: { id, isSandbox },
    instruction: draft.instruction,
    temperature: draft.temperature.trim() === "" ? null : Number(draft.temperature),
    maxTokens: draft.max_tokens,
  };
}
