import { wholeList } from "@/components/queries/reads/whole-list";

export const sessionsRead = wholeList("listSessions");
