import * as z from "zod/mini";
import { description, displayName } from "@/lib/contract/schema";
import { collectPermissions, type RoleForm } from "./role-form";

const permission = z.string().check(z.trim(), z.minLength(1), z.maxLength(200));

/**
 * The role sent to the gateway. Permissions aren't validated here, since a gateway with only the specification's
 * operations may have others than this console knows.
 */
export const sentRole = z.strictObject({
  role_name: displayName,
  description,
  permissions: z.array(permission).check(z.minLength(1), z.maxLength(100)),
});

/** The schema of a `RoleForm`. */
export const roleForm = z
  .strictObject({
    role_name: displayName,
    description,
    permissions: z.array(permission),
    other_permissions: z.string(),
  })
  .check(
    z.refine((form) => collectPermissions(form).length > 0, {
      message: "Select at least one permission.",
      path: ["permissions"],
    }),
    z.refine((form) => collectPermissions(form).length <= 100, {
      message: "A role holds at most 100 permissions.",
      path: ["other_permissions"],
    }),
  ) satisfies z.ZodMiniType<RoleForm>;
