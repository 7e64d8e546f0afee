import { wholeList } from "@/app/queries/whole-list";

export const adminKeysRead = wholeList("listAdminApiKeys");
