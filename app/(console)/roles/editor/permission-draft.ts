"use client";

import { type Control, useController } from "react-hook-form";
import type { RoleForm } from "@/app/(console)/roles/role-form";
import { listNames, listSections } from "@/components/roles/permission-groups";
import { chooseValues, removeValues } from "@/components/ui/fields/choose-options";
import { permissions } from "@/lib/contract/access/permissions";
import type { PermissionDraft } from "./compare-draft";

interface DraftOptions {
  readonly control: Control<RoleForm>;
  /** The permissions on offer: all, or those that count in a project. */
  readonly offered?: readonly string[];
  readonly saved: readonly string[];
  /** The permissions of the person where the role counts; null if they aren't known. */
  readonly held: readonly string[] | null;
}

export function usePermissionDraft({
  control,
  offered = permissions,
  saved,
  held,
}: DraftOptions): PermissionDraft {
  const { field, fieldState } = useController({ control, name: "permissions" });
  const chosen: readonly string[] = field.value ?? [];
  const sections = listSections([...new Set([...offered, ...saved, ...chosen])]);
  // In the order in which the gateway keeps them, so that nothing looks changed that isn't.
  const all = [...permissions, ...sections.flatMap(listNames)];
  const lacks = (name: string) => held !== null && !held.includes(name);
  return {
    sections,
    total: sections.flatMap(listNames).length,
    chosen,
    saved,
    error: fieldState.error?.message,
    lacks,
    change(names, isOn) {
      const own = names.filter((name) => !lacks(name));
      field.onChange(isOn ? chooseValues(all, chosen, own) : removeValues(chosen, own));
    },
    replace: (names) => field.onChange(chooseValues(all, [], names)),
    onLeave: field.onBlur,
    setField: field.ref,
  };
}
