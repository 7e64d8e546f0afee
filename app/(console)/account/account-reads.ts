import { wholeList } from "@/app/queries/reads/whole-list";

export const sessionsRead = wholeList("listSessions");
