import { wholeList } from "@/app/queries/whole-list";

export const sessionsRead = wholeList("listSessions");
