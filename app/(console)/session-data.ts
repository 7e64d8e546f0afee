import "server-only";
import { cache } from "react";
import { type Offer, offerOf } from "@/lib/console/capabilities";
import { chosenProjectId } from "@/lib/console/current-project";
import { permissionsIn } from "@/lib/console/permissions-in";
import type { GatewayReply, Problem } from "@/lib/console/problem";
import { readGateway } from "@/lib/console/read-gateway";
import { redirectToSignIn, requireSession } from "@/lib/console/session";
import type { Me } from "@/lib/contract/operations/sessions";
import type { Permission } from "@/lib/contract/permissions";

/** What every screen needs: who is signed in, where, and in which project. */
export interface SessionData {
  readonly offer: Offer;
  /** Null where the gateway does not say: one with the specification's operations alone. */
  readonly me: Me | null;
  /** Null where projects can't be listed: no such operation, or no permission. */
  readonly projects: readonly { id: string; name: string }[] | null;
  readonly currentProjectId: string | null;
  /** Whether something may be done in that project: where the gateway doesn't say, it is for the gateway to refuse. */
  readonly mayInProject: (permission: Permission) => boolean;
  /** True where only the built-in provider answers, so that no answer is an AI's. */
  readonly sandboxOnly: boolean;
  /** Why the gateway could not say who is signed in, or list the projects: it is down, or failing. */
  readonly problem: Problem | null;
}

/** Read once per request. Somebody whose session the gateway no longer accepts is led to the sign-in screen. */
export const sessionData = cache(async (): Promise<SessionData> => {
  const session = await requireSession();
  const offer = offerOf(session);
  const known = offer === "everything" ? await readKnown() : nothingKnown;
  const chosen = await chosenProjectId();
  const { projects } = known;
  const isThere = projects?.some(({ id }) => id === chosen) ?? true;
  const currentProjectId = (isThere && chosen) || (projects?.[0]?.id ?? null);
  const held = known.me && permissionsIn(known.me, currentProjectId);
  return {
    offer,
    ...known,
    currentProjectId,
    mayInProject: (permission) => held?.includes(permission) ?? true,
  };
});

/** Null for a reply, and for a gateway that answers that it has no such operation or that it may not be used. */
function failureOf(reply: GatewayReply<unknown>): Problem | null {
  const isAnswered =
    reply.ok || ["unsupported", "missing_permission", "refused"].includes(reply.problem.code);
  return isAnswered ? null : reply.problem;
}

type Known = Pick<SessionData, "me" | "projects" | "sandboxOnly" | "problem">;

const nothingKnown: Known = { me: null, projects: null, sandboxOnly: false, problem: null };

async function readKnown(): Promise<Known> {
  const [me, projects, providers] = await Promise.all([
    readGateway("retrieveMe"),
    readGateway("listProjects", { limit: "1000" }),
    readGateway("listProviders", { limit: "1000" }),
  ]);
  if (!me.ok && me.problem.code === "unauthenticated") return redirectToSignIn();
  return {
    me: me.ok ? me.data : null,
    projects: projects.ok
      ? projects.data.data.filter(({ status }) => status === "active").map(({ id, name }) => ({ id, name }))
      : null,
    sandboxOnly: providers.ok && providers.data.data.every(({ kind }) => kind === "sandbox"),
    problem: failureOf(me) ?? failureOf(projects),
  };
}
