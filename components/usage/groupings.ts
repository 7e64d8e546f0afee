import type { UsageDimension } from "@/lib/contract/calls/usage-dimensions";

/** A dimension to group by, or none. */
export type Grouping = UsageDimension | "none";

export const groupingNames: readonly { readonly value: Grouping; readonly label: string }[] = [
  { value: "project_id", label: "Project" },
  { value: "model", label: "Model" },
  { value: "provider", label: "Provider" },
  { value: "api_key_id", label: "Key" },
  { value: "user_id", label: "Member" },
  { value: "none", label: "Nothing" },
];
