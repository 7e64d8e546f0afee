"use client";
import { type ModelFamily, modelFamilies } from "@/lib/contract/model-families";
import type { OrganizationModel } from "@/lib/contract/operations/models";

const familyLabels: Readonly<Record<ModelFamily, string>> = {
  chat: "Chat",
  image: "Image",
  video: "Video",
  music: "Music",
  speech: "Speech",
  transcription: "Transcription",
  embedding: "Embedding",
  moderation: "Moderation",
};

type ModelSelectProps = {
  /** Models that can be called; null if they can't be listed, in which case the name is typed. */
  models: readonly OrganizationModel[] | null;
  value: string;
  change: (model: string) => void;
  isInvalid: boolean;
};

/** Selects a pane's model. Each family has its own group, and so have its sandbox models. */
export function ModelSelect({ models, value, change, isInvalid }: ModelSelectProps) {
  if (!models) {
    return (
      <input
        aria-label="Model"
        aria-invalid={isInvalid || undefined}
        value={value}
        placeholder="Such as gpt-5-mini"
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => change(event.target.value)}
        className="field h-8 min-w-0 flex-1 font-mono text-sm pointer-coarse:h-11"
      />
    );
  }
  const groups = modelFamilies.flatMap((family) => {
    const [real, sandbox] = [false, true].map((isSandbox) =>
      models.filter((model) => model.family === family && model.sandbox === isSandbox),
    );
    const label = familyLabels[family];
    return [
      { label, members: real ?? [] },
      { label: `${label} · sandbox, not an AI`, members: sandbox ?? [] },
    ];
  });
  return (
    <span className="relative min-w-32 flex-1">
      <select
        aria-label="Model"
        value={value}
        onChange={(event) => change(event.target.value)}
        className="h-8 w-full max-w-56 appearance-none truncate rounded-md bg-transparent pr-6 pl-1.5 font-mono text-sm font-medium hover:bg-default pointer-coarse:h-11"
      >
        {!models.some(({ id }) => id === value) && <option value={value}>{value}</option>}
        {groups.map(
          ({ label, members }) =>
            members.length > 0 && (
              <optgroup key={label} label={label}>
                {members.map((model) => (
                  <option key={model.id} value={model.id}>
                    {model.id}
                  </option>
                ))}
              </optgroup>
            ),
        )}
      </select>
    </span>
  );
}
