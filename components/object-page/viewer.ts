import type { HeldPermissions } from "@/lib/console/permissions-in";

/** The person who looks at objects of a project. */
export type Viewer = {
  /** Their permissions; null if the gateway doesn't report them. */
  held: HeldPermissions | null;
  projects: readonly { id: string; name: string }[];
};
