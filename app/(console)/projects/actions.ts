"use server";

import { createAction } from "@/lib/console/action";
import { callGateway } from "@/lib/console/gateway-client";
import { projectDraft } from "@/lib/contract/operations/projects";

export const createProject = createAction(projectDraft, (body, headers) =>
  callGateway("createProject", { body, headers }),
);
