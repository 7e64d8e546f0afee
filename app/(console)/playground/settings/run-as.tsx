"use client";

import { useId } from "react";
import type { PlaygroundRights } from "@/app/(console)/playground/playground-frame";
import type { RunAs, Workbench } from "@/components/playground/workbench";
import type { WorkbenchStore } from "@/components/playground/workbench-store";
import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { ChoiceSelect } from "@/components/ui/fields/choice-select";
import { FirstRowsNote } from "@/components/ui/table/first-rows-note";

type RunAsChoiceProps = {
  workbench: Workbench;
  store: WorkbenchStore;
  projectId: string;
  rights: Pick<PlaygroundRights, "runsAsKeys" | "previewsAsRoles">;
};

/**
 * Selects the identity for calls: the signed-in person, a key of the project, or a role. Roles can only be previewed.
 */
export function RunAsChoice({ workbench, store, projectId, rights }: RunAsChoiceProps) {
  const id = useId();
  const { runAs } = workbench;
  const { keys, roles, isListed, isGone, areAllListed } = useRunAsChoices(runAs, projectId, rights);
  // A chosen key or role can be taken back, though the permission is gone.
  if (!rights.runsAsKeys && !rights.previewsAsRoles && !runAs) return null;
  const choose = (chosen: string) => {
    const name = [...keys, ...roles].find((one) => one.id === chosen)?.name ?? chosen;
    const next: RunAs | undefined = chosen === "" ? undefined : { id: chosen, name };
    store.change((before) => ({ ...before, runAs: next }));
  };
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        Run as
      </label>
      <ChoiceSelect
        label="Run as"
        id={id}
        value={runAs?.id ?? ""}
        nothing="Me"
        options={[
          ...(runAs && !isListed ? [{ value: runAs.id, label: runAs.name }] : []),
          ...keys.map((key) => ({ value: key.id, label: key.name, note: "Key of this project" })),
          ...roles.map((role) => ({ value: role.id, label: `${role.name} · dry run` })),
        ]}
        choose={choose}
        className="h-8 w-full min-w-0 text-sm"
      />
      {!areAllListed && <FirstRowsNote shown={keys.length + roles.length} />}
      {runAs && <RunAsHelp id={`${id}-help`} runAs={runAs} isGone={isGone} />}
    </div>
  );
}

/** The keys and roles that can be chosen, and whether the chosen one is still among them. */
function useRunAsChoices(
  runAs: RunAs | undefined,
  projectId: string,
  { runsAsKeys: canUseKeys, previewsAsRoles: canUseRoles }: RunAsChoiceProps["rights"],
) {
  const inProject = { project_id: projectId };
  const ofKeys = useRead(...wholeList("listProjectApiKeys", inProject), { enabled: canUseKeys }).data;
  const ofOrganization = useRead(...wholeList("listRoles"), { enabled: canUseRoles }).data;
  const ofProject = useRead(...wholeList("listProjectRoles", inProject), { enabled: canUseRoles }).data;
  const keys = ofKeys?.data ?? [];
  const roles = [...(ofOrganization?.data ?? []), ...(ofProject?.data ?? [])];
  const isListed = [...keys, ...roles].some((one) => one.id === runAs?.id);
  const canRunAs = isRole(runAs) ? canUseRoles : canUseKeys;
  const lists = isRole(runAs) ? [ofOrganization, ofProject] : [ofKeys];
  const isGone = !isListed && (!canRunAs || lists.every((list) => list?.has_more === false));
  const areAllListed = [ofKeys, ofOrganization, ofProject].every((list) => list?.has_more !== true);
  return { keys, roles, isListed, isGone, areAllListed };
}

type RunAsHelpProps = {
  id: string;
  runAs: RunAs;
  /** True if it was deleted, or the person has lost the permission for it. */
  isGone: boolean;
};

function RunAsHelp({ id, runAs, isGone }: RunAsHelpProps) {
  const noun = isRole(runAs) ? "role" : "key";
  if (isGone)
    return (
      <p id={id} className="text-sm text-danger">
        You can’t run as this {noun} here any more. Choose another, or yourself.
      </p>
    );
  return (
    <p id={id} className="text-sm text-muted">
      {isRole(runAs)
        ? "Shows what this role would get. Nothing is sent as a role."
        : "By this key’s models, endpoints, limits and project. The receipt and the audit log name you."}
    </p>
  );
}

/** A role can only be previewed. */
export function isRole(runAs: RunAs | undefined): boolean {
  return runAs?.id.startsWith("role_") ?? false;
}
