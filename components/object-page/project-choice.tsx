"use client";

import { useRouter } from "next/navigation";
import type { ComponentProps } from "react";
import { useTransition } from "react";
import { composeButtonStyle } from "@/components/ui/compose-button-style";
import { confirmLeave } from "@/components/ui/dialog/unsaved";
import { Menu } from "@/components/ui/menu/menu";
import { Spinner } from "@/components/ui/spinner";

type ProjectChoiceProps = Pick<ComponentProps<typeof Menu>, "trigger" | "align"> & {
  projects: readonly { id: string; name: string }[];
  /** The address to open in the chosen project. */
  address: (project: string) => string;
  variant?: "primary";
};

/** Opens an address in one of the projects. */
export function ProjectChoice({ projects, address, trigger, align, variant }: ProjectChoiceProps) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const entries = projects.map(({ id, name }) => ({
    id,
    label: name,
    note: id,
    onSelect: () => confirmLeave(() => startTransition(() => router.push(address(id)))),
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
