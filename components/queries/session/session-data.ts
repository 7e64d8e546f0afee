import "server-only";
import { cache } from "react";
import { EVERY_PROJECT } from "@/lib/console/every-project";
import type { GatewayReply, Problem } from "@/lib/console/gateway/problem";
import { readLastProjectId } from "@/lib/console/last-project";
import { holdsInProject, permissionsIn, permissionsInAny } from "@/lib/console/permissions-in";
import { readGateway } from "@/lib/console/reads/read-gateway";
import { findGatewaySupport, type GatewaySupport } from "@/lib/console/sign-in/read-sign-in-methods";
import { redirectToSignIn, requireSession } from "@/lib/console/sign-in/session";
import type { Permission } from "@/lib/contract/access/permissions";
import type { Me } from "@/lib/contract/operations/sign-in/sessions";
import { listKnownProjects } from "./list-known-projects";

type Project = { readonly id: string; readonly name: string };

/**
 * Data that every screen needs: the signed-in person, the organization and the project. That is the one that the
 * address names; on screens of the organization the one that the person used last, or the first.
 */
interface SessionData {
  readonly support: GatewaySupport;
  /** Null if the gateway doesn't report it because it supports only the specification's operations. */
  readonly me: Me | null;
  /** Null if there is none, and if every project is shown. */
  readonly currentProjectId: string | null;
  /** Null without a project, and if projects can't be listed: unsupported or not permitted. */
  readonly currentProjectName: string | null;
  readonly isEveryProject: boolean;
  /** True if projects can be listed, and there is none. */
  readonly hasNoProject: boolean;
  /** True if the address names a project that isn't there, is archived, or isn't theirs to see. */
  readonly isUnknownProject: boolean;
  /**
   * The active projects, of which there may be hundreds: for screens that show them all. Null if they can't be listed.
   */
  readonly listProjects: () => Promise<readonly Project[] | null>;
  /**
   * The person's permissions in that project, or in any of the projects if every one is shown; null if the gateway
   * doesn't report them.
   */
  readonly heldHere: readonly string[] | null;
  /**
   * Where every project is shown, those in which the person holds a permission. A screen of one project lets them
   * choose.
   */
  readonly listChoices: (permission: Permission) => Promise<readonly Project[]>;
  /** Whether `heldHere` has a permission. True if the gateway doesn't report permissions, which it enforces anyway. */
  readonly mayInProject: (permission: Permission) => boolean;
  /** Why the gateway couldn't identify the person or list projects, if it is down or failing. */
  readonly problem: Problem | null;
}

const readMe = cache(() => readGateway("retrieveMe"));
const readProject = cache((projectId: string) => readGateway("retrieveProject", { project_id: projectId }));

/**
 * The part of the session's data that is read without a project. Redirects to the sign-in screen if the gateway no
 * longer accepts the session.
 */
export async function signedInPerson(): Promise<Pick<SessionData, "support" | "me" | "problem">> {
  const support = findGatewaySupport(await requireSession());
  if (support === "specification") return { support, me: null, problem: null };
  const me = await readMe();
  if (!me.ok && me.problem.code === "unauthenticated") return redirectToSignIn();
  return { support, me: me.ok ? me.data : null, problem: findFailure(me) };
}

/**
 * Loaded once per request. `named` is the project in the address, or `EVERY_PROJECT`. Redirects to the sign-in screen
 * if the gateway no longer accepts the session.
 */
export const sessionData = cache(async (named?: string): Promise<SessionData> => {
  const [person, selection] = await Promise.all([signedInPerson(), readSelection(named)]);
  const { support, me } = person;
  const { current, isEveryProject } = selection;
  const heldHere =
    me && (isEveryProject ? await findHeldAnywhere(me) : permissionsIn(me, current?.id ?? null));
  return {
    support,
    me,
    currentProjectId: current?.id ?? null,
    currentProjectName: current?.name ?? null,
    isEveryProject,
    hasNoProject: selection.hasNoProject,
    isUnknownProject: selection.isUnknown,
    listProjects,
    heldHere,
    listChoices: async (permission) =>
      (isEveryProject ? ((await listProjects()) ?? []) : []).filter(({ id }) =>
        holdsInProject(me, id, permission),
      ),
    mayInProject: (permission) => heldHere?.includes(permission) ?? true,
    problem: person.problem ?? selection.problem,
  };
});

interface Selection {
  /** Its name is null if projects can't be listed. */
  readonly current: { readonly id: string; readonly name: string | null } | null;
  readonly isEveryProject: boolean;
  readonly hasNoProject: boolean;
  readonly isUnknown: boolean;
  readonly problem: Problem | null;
}

/** Reads the named project; without one, the one used last if it is still there, otherwise the first. */
async function readSelection(named: string | undefined): Promise<Selection> {
  const chosen = named ?? (await readLastProjectId());
  const chosenId = chosen === EVERY_PROJECT ? null : chosen;
  const unlisted: Selection = {
    current: chosenId === null ? null : { id: chosenId, name: null },
    isEveryProject: false,
    hasNoProject: false,
    isUnknown: false,
    problem: null,
  };
  if (findGatewaySupport(await requireSession()) === "specification") return unlisted;
  if (chosenId !== null) {
    const reply = await readProject(chosenId);
    if (reply.ok && reply.data.status === "active") return { ...unlisted, current: reply.data };
    const isMissing = reply.ok || ["not_found", "missing_permission"].includes(reply.problem.code);
    if (named !== undefined)
      return {
        ...unlisted,
        current: null,
        isUnknown: isMissing,
        problem: reply.ok ? null : findFailure(reply),
      };
  }
  const reply = await readGateway("listProjects", { limit: "2" });
  if (!reply.ok) return { ...unlisted, problem: findFailure(reply) };
  const [first = null, second] = reply.data.data;
  const isEveryProject = chosen === EVERY_PROJECT && second !== undefined;
  return {
    ...unlisted,
    current: isEveryProject ? null : first,
    isEveryProject,
    hasNoProject: first === null,
  };
}

/** The active projects, of which there may be hundreds; null if they can't be listed. */
export const listProjects = cache(async (): Promise<readonly Project[] | null> => {
  if (findGatewaySupport(await requireSession()) === "specification") return null;
  const reply = await readGateway("listProjects", { limit: "1000" });
  const chosen = await readLastProjectId();
  const chosenId = chosen === EVERY_PROJECT ? null : chosen;
  return reply.ok ? listKnownProjects(reply.data, chosenId, readProject) : null;
});

/** The permissions held in the organization, or in at least one of the projects that the person can list. */
export async function findHeldAnywhere(me: Me): Promise<readonly string[]> {
  const isMore = (permission: string) => !me.permissions.includes(permission);
  if (!me.project_permissions.some(({ permissions }) => permissions.some(isMore))) return me.permissions;
  return permissionsInAny(
    me,
    ((await listProjects()) ?? []).map(({ id }) => id),
  );
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
