"use client";

import { type Control, useController } from "react-hook-form";
import type { RoleForm } from "@/app/(console)/roles/role-form";
import type { PermissionSection } from "@/components/roles/permission-groups";
import { listNames, listSections } from "@/components/roles/permission-groups";
import { chooseValues, removeValues } from "@/components/ui/fields/checkbox-group";
import { permissions } from "@/lib/contract/access/permissions";

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

/** The permissions of a role while it is edited. */
export interface PermissionDraft {
  /** All that can be chosen, and what the role holds besides. */
  readonly sections: readonly PermissionSection[];
  readonly total: number;
  readonly chosen: readonly string[];
  /** The saved role's; empty for a new role. */
  readonly saved: readonly string[];
  readonly error: string | undefined;
  /** Whether the person lacks a permission, and so can neither give nor take it. */
  lacks(name: string): boolean;
  /** Chooses or leaves out permissions that the person holds. */
  change(names: readonly string[], isOn: boolean): void;
  /** Replaces the choice. */
  replace(names: readonly string[]): void;
  onLeave(): void;
  setField(field: HTMLElement | null): void;
}

/** The permissions that a draft adds to the saved ones, and those that it takes from them. */
export function compareDraft({ chosen, saved }: Pick<PermissionDraft, "chosen" | "saved">) {
  return {
    gained: chosen.filter((name) => !saved.includes(name)),
    lost: saved.filter((name) => !chosen.includes(name)),
  };
}
