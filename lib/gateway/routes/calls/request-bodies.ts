import { DAY_MS } from "@/lib/contract/durations";
import type {
  BodySettings as BodySettingsReply,
  RequestBody,
} from "@/lib/contract/operations/calls/request-bodies";
import { listVisibleProjects } from "../../access/authorize";
import type { BodyQueue } from "../../calls/bodies/body-queue";
import { toUnixSeconds } from "../../clock";
import {
  type BodySettings,
  type BodySettingsContext,
  saveBodySettings,
} from "../../log/bodies/body-settings.sql";
import { readBodyState, readRequestBody } from "../../log/bodies/read-body";
import type { StoredBodyReader } from "../../log/bodies/stored-bodies.sql";
import type { StoredText } from "../../log/bodies/stored-body";
import type { RequestLogReader } from "../../log/requests/request-log-reader.sql";
import type { ProjectStore } from "../../projects/project-store.sql";
import { findProject } from "../../projects/projects";
import { notFound } from "../../refusal";
import type { AccessGraph } from "../../roles/access-graph";
import type { Handlers } from "../handler";

interface Context extends BodySettingsContext {
  readonly projects: ProjectStore;
  readonly requests: RequestLogReader;
  readonly storedBodies: StoredBodyReader;
  readonly bodyQueue: BodyQueue;
  readonly graph: AccessGraph;
}

type Ids = "retrieveRequestBody" | "retrieveBodySettings" | "saveBodySettings";

export function requestBodyRoutes(context: Context): Handlers<Ids> {
  const { requests, graph, projects, bodySettingsCache, runtime } = context;
  return {
    retrieveRequestBody: async ({ params: { request_id: id }, caller, request }): Promise<RequestBody> => {
      const details = await requests.find(id);
      const visible = listVisibleProjects(graph, caller, "api.request_bodies.read");
      if (!details || !(visible?.includes(details.request.projectId) ?? true))
        throw notFound("call", id, "request_id");
      const call = details.request;
      const look = () => readBodyState(context, call, runtime.clock.nowMs());
      const { request: asked, reply, redacted } = await readRequestBody(context, request, call, look);
      const { retentionDays } = bodySettingsCache.find(call.projectId);
      return {
        object: "request.body",
        request_id: call.id,
        kept_until: toUnixSeconds(call.atMs + retentionDays * DAY_MS),
        request: toText(asked),
        reply: reply && toText(reply),
        redacted,
      };
    },
    retrieveBodySettings: async ({ params }) => {
      const { id } = await findProject(projects, params.project_id);
      return toSettings(bodySettingsCache.find(id));
    },
    saveBodySettings: async ({ params, body, request }) =>
      toSettings(await saveBodySettings(context, request, params.project_id, body)),
  };
}

function toText({ text, isCut }: StoredText) {
  return { text, is_cut: isCut };
}

function toSettings({ mode, retentionDays, redactions }: BodySettings): BodySettingsReply {
  return {
    object: "project.body_settings",
    mode,
    retention_days: retentionDays,
    redactions: [...redactions],
  };
}
