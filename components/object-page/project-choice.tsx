"use client";

import { type ComponentProps, useTransition } from "react";
import { selectProject } from "@/components/queries/session/select-project";
import { tellIfRefused } from "@/components/shell/tell-if-refused";
import { composeButtonStyle } from "@/components/ui/compose-button-style";
import { confirmLeave } from "@/components/ui/dialog/unsaved";
import { Menu } from "@/components/ui/menu/menu";
import { Spinner } from "@/components/ui/spinner";

type ProjectChoiceProps = Pick<ComponentProps<typeof Menu>, "trigger" | "align"> & {
  projects: readonly { id: string; name: string }[];
  variant?: "primary";
  /** Called once the project is selected. */
  onSelected?: () => void;
};

/** Selects one of the projects, as the switch in the sidebar does. */
export function ProjectChoice({ projects, trigger, align, variant, onSelected }: ProjectChoiceProps) {
  const [isPending, startTransition] = useTransition();
  const choose = (id: string) =>
    confirmLeave(() =>
      startTransition(async () => {
        if (await tellIfRefused(() => selectProject(id), "project switch")) onSelected?.();
      }),
    );
  const entries = projects.map(({ id, name }) => ({
    id,
    label: name,
    note: id,
    onSelect: () => choose(id),
  }));
  return (
    <Menu
      noun="projects"
      {...(align && { align })}
      sections={[{ heading: "Project", entries }]}
      triggerClassName={composeButtonStyle(variant)}
      trigger={
        <>
          {isPending && <Spinner />}
          {trigger}
        </>
      }
    />
  );
}
