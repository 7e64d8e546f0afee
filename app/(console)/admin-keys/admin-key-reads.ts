import { firstRows } from "@/components/queries/reads/whole-list";

export const adminKeysRead = firstRows("listAdminApiKeys", { order: "desc" });
