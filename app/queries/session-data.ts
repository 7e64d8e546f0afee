import "server-only";
import { cache } from "react";
import { EVERY_PROJECT } from "@/components/shell/every-project";
import { readChosenProjectId } from "@/lib/console/current-project";
import type { GatewayReply, Problem } from "@/lib/console/gateway/problem";
import { permissionsIn, permissionsInAny } from "@/lib/console/permissions-in";
import { readGateway } from "@/lib/console/reads/read-gateway";
import { findGatewaySupport, type GatewaySupport } from "@/lib/console/sign-in/gateway-support";
import { redirectToSignIn, requireSession } from "@/lib/console/sign-in/session";
import type { Me } from "@/lib/contract/operations/sessions";
import type { Permission } from "@/lib/contract/permissions";
import { listKnownProjects } from "./list-known-projects";

/** Data that every screen needs: the signed-in person, the organization and the selected project. */
export interface SessionData {
  readonly support: GatewaySupport;
  /** Null if the gateway doesn't report it because it supports only the specification's operations. */
  readonly me: Me | null;
  /** Null if projects can't be listed: unsupported or not permitted. */
  readonly projects: readonly { id: string; name: string }[] | null;
  /** Null if there is none, and if every project is selected. */
  readonly currentProjectId: string | null;
  readonly isEveryProject: boolean;
  /** The person's permissions in that project, or in any of `projects` if every one is selected; null if the gateway doesn't report them. */
  readonly heldHere: readonly string[] | null;
  /** While every project is selected, those in which the person holds a permission. A screen of one project lets them choose. */
  readonly listChoices: (permission: Permission) => readonly { id: string; name: string }[];
  /** Whether `heldHere` has a permission. True if the gateway doesn't report permissions, which it enforces anyway. */
  readonly mayInProject: (permission: Permission) => boolean;
  /** Why the gateway couldn't identify the person or list projects, if it is down or failing. */
  readonly problem: Problem | null;
}

const readMe = cache(() => readGateway("retrieveMe"));

/**
 * The part of the session's data that is read without the projects, of which there may be hundreds. Redirects to the sign-in screen if
 * the gateway no longer accepts the session.
 */
export async function signedInPerson(): Promise<Pick<SessionData, "support" | "me">> {
  const support = findGatewaySupport(await requireSession());
  if (support === "specification") return { support, me: null };
  const me = await readMe();
  if (!me.ok && me.problem.code === "unauthenticated") return redirectToSignIn();
  return { support, me: me.ok ? me.data : null };
}

/** Loaded once per request. Redirects to the sign-in screen if the gateway no longer accepts the session. */
export const sessionData = cache(async (): Promise<SessionData> => {
  const session = await requireSession();
  const support = findGatewaySupport(session);
  const chosen = await readChosenProjectId();
  const known = support === "everything" ? await readKnown(chosen) : nothingKnown;
  const { me, projects } = known;
  const everyId = projects?.map(({ id }) => id) ?? [];
  const isEveryProject = chosen === EVERY_PROJECT && everyId.length > 1;
  const currentProjectId = isEveryProject ? null : findCurrent(chosen, projects);
  const heldHere =
    me && (isEveryProject ? permissionsInAny(me, everyId) : permissionsIn(me, currentProjectId));
  return {
    support,
    ...known,
    currentProjectId,
    isEveryProject,
    heldHere,
    listChoices: (permission) =>
      (isEveryProject && projects ? projects : []).filter(
        ({ id }) => !me || permissionsIn(me, id).includes(permission),
      ),
    mayInProject: (permission) => heldHere?.includes(permission) ?? true,
  };
});

/** The chosen project if it is still there, otherwise the first. */
function findCurrent(chosen: string | null, projects: SessionData["projects"]): string | null {
  const isThere = chosen !== EVERY_PROJECT && (projects?.some(({ id }) => id === chosen) ?? true);
  return (isThere && chosen) || (projects?.[0]?.id ?? null);
}

/** Returns null for a success, and for operations that are unsupported, not permitted or refused. */
function findFailure(reply: GatewayReply<unknown>): Problem | null {
  const isAnswered =
    reply.ok || ["unsupported", "missing_permission", "refused"].includes(reply.problem.code);
  return isAnswered ? null : reply.problem;
}

/**
 * True if the built-in provider is the only one, so that no answer comes from a real model. Apart from `sessionData`,
 * since no screen has to wait for it.
 */
export async function isSandboxOnly(): Promise<boolean> {
  if (findGatewaySupport(await requireSession()) !== "everything") return false;
  const providers = await readGateway("listProviders", { limit: "1000" });
  return providers.ok && providers.data.data.every(({ kind }) => kind === "sandbox");
}

type Known = Pick<SessionData, "me" | "projects" | "problem">;

const nothingKnown: Known = { me: null, projects: null, problem: null };

const readProject = (projectId: string) => readGateway("retrieveProject", { project_id: projectId });

async function readKnown(chosen: string | null): Promise<Known> {
  const [me, projects] = await Promise.all([readMe(), readGateway("listProjects", { limit: "1000" })]);
  if (!me.ok && me.problem.code === "unauthenticated") return redirectToSignIn();
  const chosenId = chosen === EVERY_PROJECT ? null : chosen;
  return {
    me: me.ok ? me.data : null,
    projects: projects.ok ? await listKnownProjects(projects.data, chosenId, readProject) : null,
    problem: findFailure(me) ?? findFailure(projects),
  };
}
