import { wholeList } from "@/app/queries/reads/whole-list";

export const adminKeysRead = wholeList("listAdminApiKeys");
