import type { ServiceAccountRole } from "@/lib/contract/operations/keys/service-accounts";

export const roleNames: Readonly<Record<ServiceAccountRole, string>> = {
  owner: "Project owner",
  member: "Project member",
  none: "no role",
};
