"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { awaitReads } from "./await-reads";

/**
 * Reads what a filter offers, once the screen has what it shows first: a thousand members take as long to read as a
 * chart. Until then it is pending, or what the server has read already.
 */
export function useOptions<Id extends "listProjects" | "listOrganizationModels" | "listUsers">(id: Id) {
  const client = useQueryClient();
  const [isScreenRead, setIsScreenRead] = useState(false);
  useEffect(() => awaitReads(client, () => setIsScreenRead(true)), [client]);
  return useRead(...wholeList(id), { enabled: isScreenRead });
}
