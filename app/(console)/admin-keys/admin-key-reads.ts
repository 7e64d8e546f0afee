import { wholeList } from "@/components/queries/reads/whole-list";

export const adminKeysRead = wholeList("listAdminApiKeys");
