"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { Permission } from "@/lib/contract/permissions";
import type { HeldPermissions } from "./shell-data";

const Held = createContext<HeldPermissions | undefined>(undefined);

/** Tells what is below it what the person may do: undefined where the gateway doesn't say. */
export function HeldPermissionsScope({
  permissions,
  children,
}: {
  permissions: HeldPermissions | undefined;
  children: ReactNode;
}) {
  return <Held value={permissions}>{children}</Held>;
}

/** Whether the person is known to hold a permission in the whole organization. */
export function useHolds(permission: Permission): boolean {
  return useContext(Held)?.organization.includes(permission) ?? false;
}
