"use server";

import { refresh } from "next/cache";
import * as z from "zod/mini";
import { defineAction } from "@/lib/console/actions/define-action";
import { chooseProjectId } from "@/lib/console/current-project";
import type { ActionReply } from "@/lib/console/gateway/problem";

const select = defineAction(z.string().check(z.regex(/^[\w.-]{1,100}$/)), async (projectId) => {
  await chooseProjectId(projectId);
  refresh();
  return { ok: true as const, data: null };
});

/** Stores the project selected in the shell and rerenders the screen. */
export async function selectProject(projectId: string): Promise<ActionReply<null>> {
  return select(projectId);
}
