import { DEVICE_HEADER } from "@/lib/contract/access/device-token";
import { roleWord } from "@/lib/contract/access/role-words";
import { toUnixSeconds } from "../../clock";
import type { Organization } from "../../projects/organization-store.sql";
import type { RequestHeaders } from "../../request-headers";
import type { SignInClient } from "../../sign-in/attempts";
import { findUsableInvite, joinByInvite } from "../../sign-in/join-by-invite";
import type { Mailer } from "../../sign-in/mailer";
import { answerChallenge, type MemberSession, signIn } from "../../sign-in/sign-in";
import type { SignInContext } from "../../sign-in/sign-in-context";
import type { Handlers } from "../handler";
import { toSession } from "./sessions";

interface Context extends SignInContext {
  readonly organization: Organization;
  readonly mailer: Mailer | null;
}

type Ids = "retrieveSignInMethods" | "signIn" | "answerSignInChallenge" | "previewInvite" | "acceptInvite";

export function signInRoutes(context: Context): Handlers<Ids> {
  const { credentialStore, openIdProvider, mailer, graph, organization } = context;
  return {
    retrieveSignInMethods: async () => ({
      object: "organization.sign_in_methods",
      password: await credentialStore.hasAnyPassword(),
      single_sign_on: openIdProvider && { name: openIdProvider.name },
      password_reset_mail: mailer !== null,
    }),
    signIn: async ({ body, request, ...from }) => {
      const outcome = await signIn(context, request, readSignInClient(from), body);
      if ("session" in outcome) return toMemberSession(outcome);
      const { challenge, expiresAtMs } = outcome;
      const expires_at = toUnixSeconds(expiresAtMs);
      return { object: "organization.sign_in_challenge", challenge, expires_at };
    },
    answerSignInChallenge: async ({ body, request, ...from }) =>
      toMemberSession(await answerChallenge(context, request, readSignInClient(from), body)),
    previewInvite: async ({ body }) => {
      const { email, roleId, expiresAtMs } = await findUsableInvite(context, body.token);
      return {
        object: "organization.invite.preview",
        email,
        organization: { name: organization.name, logo: organization.logo },
        role: graph.findRole(roleId)?.name ?? roleWord(roleId),
        expires_at: toUnixSeconds(expiresAtMs),
      };
    },
    acceptInvite: async ({ body, request, ...from }) =>
      toMemberSession(await joinByInvite(context, request, readSignInClient(from), body)),
  };
}

/** A member's new session with its token, which is shown only this once. */
export function toMemberSession({ deviceToken, ...session }: MemberSession) {
  return { ...toSession(session), ...(deviceToken !== null && { device_token: deviceToken }) };
}

export function readSignInClient({
  headers,
  address,
}: {
  headers: RequestHeaders;
  address: string | null;
}): SignInClient {
  const deviceToken = headers.get(DEVICE_HEADER) || null;
  return { address, userAgent: headers.get("user-agent"), deviceToken };
}
