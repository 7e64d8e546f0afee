import { filterModels } from "@/components/models/describe-model";
import type { Pane } from "@/components/playground/panes/pane";
import { type ModelFamily, modelFamilies } from "@/lib/contract/calls/model-families";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";

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

/** Maximum number of models shown at once, so that typing stays fast. */
const MAX_SHOWN = 200;

export type ModelGroup = { label: string; models: readonly OrganizationModel[] };

/** Groups models by family; those of the sandbox come last. */
export function groupByFamily(models: readonly OrganizationModel[]): ModelGroup[] {
  const groups = [false, true].flatMap((isSandbox) =>
    modelFamilies.map((family) => ({
      label: familyLabels[family] + (isSandbox ? " · sandbox, not an AI" : ""),
      models: models.filter((model) => model.family === family && model.sandbox === isSandbox),
    })),
  );
  return groups.filter((group) => group.models.length > 0);
}

/**
 * Returns the models that contain every typed word in id, family, provider or name there, and how many more there are.
 * Before anything is typed, the recently used ones come first.
 */
export function listModels(
  models: readonly OrganizationModel[],
  search: string,
  recentIds: readonly string[],
): { groups: readonly ModelGroup[]; left: number } {
  const found = idsFirst(filterModels(models, search), search);
  const recent =
    search.trim() === "" ? recentIds.flatMap((id) => found.find((model) => model.id === id) ?? []) : [];
  const head = recent.length > 1 ? [{ label: "In this conversation", models: recent }] : [];
  const others = head.length > 0 ? found.filter((model) => !recent.includes(model)) : found;
  let room = MAX_SHOWN - (head[0]?.models.length ?? 0);
  const groups = groupByFamily(others).flatMap((group) => {
    const shown = group.models.slice(0, room);
    room -= shown.length;
    return shown.length > 0 ? [{ ...group, models: shown }] : [];
  });
  return { groups: [...head, ...groups], left: Math.max(0, found.length - MAX_SHOWN) };
}

/** Puts the models whose id contains what is typed before those of which only the provider or family does. */
function idsFirst(found: readonly OrganizationModel[], search: string): readonly OrganizationModel[] {
  const typed = search.trim().toLowerCase();
  const hasIt = ({ id }: OrganizationModel) => id.toLowerCase().includes(typed);
  return typed === "" ? found : [...found.filter(hasIt), ...found.filter((model) => !hasIt(model))];
}

/** Returns the ids of the models that the panes have and that answered in them, each once. */
export function listRecentModels(panes: readonly Pane[]): string[] {
  const chosen = panes.map(({ model }) => model);
  const asked = panes.flatMap(({ messages }) => messages.flatMap(({ call }) => call?.model ?? []));
  return [...new Set([...chosen, ...asked.toReversed()])];
}

/** Returns the index of the option that Enter chooses: the model with exactly the typed id, else the first. */
export function findExactModel(options: readonly OrganizationModel[], typed: string): number {
  const id = typed.trim().toLowerCase();
  return Math.max(
    0,
    options.findIndex((model) => model.id.toLowerCase() === id),
  );
}
