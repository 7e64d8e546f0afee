"use server";

import { action } from "@/lib/console/action";
import { callGateway } from "@/lib/console/gateway-client";
import { projectDraft } from "@/lib/contract/operations/projects";

export const createProject = action(projectDraft, (draft) => callGateway("createProject", { body: draft }));
