import type { ServiceAccountRole } from "@/lib/contract/operations/service-accounts";

export const roleNames: Readonly<Record<ServiceAccountRole, string>> = {
  owner: "Project owner",
  member: "Project member",
  none: "no role",
};
