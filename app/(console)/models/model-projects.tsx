"use client";

import { useState } from "react";
import { useAction } from "@/components/queries/actions/use-action";
import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/dialog/toast";
import { ChoiceSelect } from "@/components/ui/fields/choice-select";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { changeModel } from "./actions";

const [NONE, EVERY] = ["none", "every"];

/** Which projects may call an imported model, besides those whose own list of models allows it. */
export function ModelProjects({ model, canWrite }: { model: OrganizationModel; canWrite: boolean }) {
  const { id, projects: saved, version } = model;
  const projects = useRead(...wholeList("listProjects")).data?.data ?? [];
  const before = saved === null ? EVERY : saved.length === 0 ? NONE : saved.join();
  const [chosen, setChosen] = useState<string | null>(null);
  const value = chosen ?? before;
  const save = useAction(changeModel, {
    refetch: ["listOrganizationModels"],
    onSuccess: () => {
      setChosen(null);
      toast({ message: "Projects saved" });
    },
  });
  const nameOf = (projectId: string) => projects.find((one) => one.id === projectId)?.name ?? projectId;
  const several = saved !== null && saved.length > 1;
  const options = [
    { value: NONE, label: "no project yet" },
    { value: EVERY, label: "every project" },
    ...(several ? [{ value: before, label: saved.map(nameOf).join(", ") }] : []),
    ...projects.map((project) => ({ value: project.id, label: project.name })),
  ];
  return (
    <section aria-label="Projects" className="mb-8 flex max-w-[560px] flex-wrap items-end gap-3">
      <div className="grid flex-1 gap-1.5">
        <span className="font-medium">Allowed in</span>
        {canWrite ? (
          <ChoiceSelect label="Allowed in" value={value} options={options} choose={setChosen} />
        ) : (
          <p>{options.find((option) => option.value === value)?.label}</p>
        )}
      </div>
      {value !== before && (
        <Button
          pending={save.isPending}
          onClick={() => {
            const to = value === EVERY ? null : value === NONE ? [] : value.split(",");
            save.mutate({ modelId: id, change: { projects: to }, version });
          }}
        >
          Save projects
        </Button>
      )}
      <p className="w-full text-sm text-muted">
        {save.error ? save.error.problem.message : "A project can also allow it in its own list of models."}
      </p>
    </section>
  );
}
