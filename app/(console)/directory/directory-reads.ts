import { firstRows, wholeList } from "@/components/queries/reads/whole-list";

/** The admin keys, of which those with the role Directory are tokens of a directory. */
export const tokensRead = firstRows("listAdminApiKeys", { order: "desc" });

export const groupsRead = wholeList("listGroups");

export const orphanedKeysRead = firstRows("listOrphanedApiKeys");
