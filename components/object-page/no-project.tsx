"use client";

import { Folder } from "lucide-react";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import type { ComponentProps, ReactNode } from "react";
import { useTransition } from "react";
import { useHolds } from "@/components/shell/held-permissions";
import { composeButtonStyle } from "@/components/ui/button";
import { confirmLeave } from "@/components/ui/dialog/unsaved";
import { LinkButton } from "@/components/ui/links/link-button";
import { Menu } from "@/components/ui/menu/menu";
import { Spinner } from "@/components/ui/spinner";
import { EmptyState } from "@/components/ui/states/empty-state";
import { inAnotherProject, paths } from "@/lib/console/paths";

type NoProjectProps = {
  /** The projects to choose from while every one is selected. */
  choices?: readonly { id: string; name: string }[];
  /** Explains why the screen needs a project. */
  children: ReactNode;
  level?: 1 | 2;
};

/** Replaces a project's screen if there is no project, or while every one is selected. */
export function NoProject({ choices = [], children, level = 2 }: NoProjectProps) {
  const seesAll = useHolds("api.projects.read");
  const canCreate = useHolds("api.projects.write");
  if (choices.length > 0) return <ChooseProject projects={choices} level={level} />;
  if (!canCreate) {
    return (
      <EmptyState
        level={level}
        icon={Folder}
        title={seesAll ? "No projects yet" : "You aren’t in a project yet"}
      >
        {children} Ask someone with the Owner or Admin role to {seesAll ? "create one" : "add you to one"},
        then reload this page.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      level={level}
      icon={Folder}
      title="No projects yet"
      action={
        <LinkButton variant="primary" href={paths.projects()}>
          Create a project
        </LinkButton>
      }
      example="For example, “checkout” or “research”, each with its own keys and rate limits."
    >
      {children}
    </EmptyState>
  );
}

type ChooseProjectProps = {
  projects: readonly { id: string; name: string }[];
  level?: 1 | 2;
};

/** Replaces the screen of one project where the address names all. */
function ChooseProject({ projects, level = 2 }: ChooseProjectProps) {
  const pathname = usePathname();
  const query = useSearchParams().toString();
  const address = (project: string) =>
    inAnotherProject(pathname, project) + (query === "" ? "" : `?${query}`);
  return (
    <EmptyState
      level={level}
      icon={Folder}
      title="Which project?"
      action={
        <ProjectChoice variant="primary" projects={projects} trigger="Choose a project" address={address} />
      }
    >
      This screen shows one project at a time.
    </EmptyState>
  );
}

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
