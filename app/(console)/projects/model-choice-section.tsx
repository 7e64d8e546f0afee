"use client";

import { ReadState } from "@/app/queries/read-state";
import { useRead } from "@/app/queries/use-read";
import type { CheckboxOptionGroup } from "@/components/form/choose-options";
import { Section } from "@/components/ui/section";
import { FormSkeleton } from "@/components/ui/skeleton";
import type { OrganizationModel } from "@/lib/contract/operations/models";
import { everyModel, type ModelChoice } from "./model-choice";
import { ModelChoiceForm } from "./model-choice-form";
import type { ProjectPlace } from "./project-place";

/** Which models the calls of a project may name. */
export function ModelChoiceSection({ project, may }: ProjectPlace) {
  const read = useRead("retrieveModelPermissions", { project_id: project.id });
  const models = useRead("listOrganizationModels", { limit: "1000" });
  const isFree = read.error?.problem.code === "not_found";
  const known = models.data?.data ?? [];
  return (
    <Section
      title="Models it may call"
      description="A call of another model is refused, whatever the key’s permissions. It holds from the next call on."
    >
      <ReadState
        read={isFree ? { ...read, data: everyModel, error: null } : read}
        to="show the models it may call"
        skeleton={<FormSkeleton fields={2} />}
      >
        {(choice) => (
          <ModelChoiceForm
            project={project}
            choice={choice}
            groups={groupModels(known, choice)}
            canWrite={may("api.model_permissions.write")}
          />
        )}
      </ReadState>
    </Section>
  );
}

/** The models to tick, by the provider that is asked first; those that are named and no longer there come last. */
function groupModels(models: readonly OrganizationModel[], choice: ModelChoice): CheckboxOptionGroup[] {
  const groups = new Map<string, { value: string; sentence: string }[]>();
  const add = (heading: string, value: string, sentence: string) =>
    groups.set(heading, [...(groups.get(heading) ?? []), { value, sentence }]);
  for (const { id, description, family, routes } of models) {
    add(routes[0]?.provider ?? "Without a route", id, description ?? `A model of the family ${family}.`);
  }
  const known = new Set(models.map(({ id }) => id));
  for (const id of choice.model_ids) if (!known.has(id)) add("Not there any more", id, "It was removed.");
  return [...groups].map(([heading, options]) => ({ heading, options }));
}
