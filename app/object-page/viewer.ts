import type { Me } from "@/lib/contract/operations/sign-in/sessions";

/** The person who looks at objects of a project. */
export type Viewer = {
  /** Their permissions; null if the gateway doesn't report them. */
  held: Pick<Me, "permissions" | "project_permissions"> | null;
  projects: readonly { id: string; name: string }[];
};
