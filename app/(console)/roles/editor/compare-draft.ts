"use client";

import type { PermissionSection } from "@/components/roles/permission-groups";

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
