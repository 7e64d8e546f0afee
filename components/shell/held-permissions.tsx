"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { Permission } from "@/lib/contract/access/permissions";
import type { ShellPermissions } from "./shell-data";

const Held = createContext<ShellPermissions | undefined>(undefined);

/** Provides the person's permissions to `children`; undefined if the gateway doesn't report them. */
export function HeldPermissionsScope({
  permissions,
  children,
}: {
  permissions: ShellPermissions | undefined;
  children: ReactNode;
}) {
  return <Held value={permissions}>{children}</Held>;
}

/** Returns true if the person is known to have the permission in the whole organization. */
export function useHolds(permission: Permission): boolean {
  return useContext(Held)?.organization.includes(permission) ?? false;
}

/** Returns true if the person is known to have the permission in the project that is selected. */
export function useHoldsInProject(permission: Permission): boolean {
  return useContext(Held)?.project.includes(permission) ?? false;
}
