import { toUnixSeconds } from "../../clock";
import type { SignInContext } from "../../sign-in/sign-in-context";
import {
  endOwnSingleSignOn,
  endUserSingleSignOn,
  finishLink,
  finishSingleSignOn,
  type SingleSignOnAnswer,
  type StartedSingleSignOn,
  startLink,
  startSingleSignOn,
} from "../../sign-in/single-sign-on";
import type { Handlers, Input } from "../handler";
import { readSignInClient, toMemberSession } from "./sign-in";
import { readOwnSettings } from "./two-factor";

type Ids =
  | "startSingleSignOn"
  | "finishSingleSignOn"
  | "startSingleSignOnLink"
  | "finishSingleSignOnLink"
  | "endSingleSignOn"
  | "deleteUserSingleSignOn";

export function singleSignOnRoutes(context: SignInContext): Handlers<Ids> {
  return {
    startSingleSignOn: async (call) => describe(await startSingleSignOn(context, readSignInClient(call))),
    finishSingleSignOn: async ({ body, request, ...from }) =>
      toMemberSession(await finishSingleSignOn(context, request, readSignInClient(from), toAnswer(body))),
    startSingleSignOnLink: async ({ caller, body, request }) =>
      describe(await startLink(context, request, caller, body.password)),
    finishSingleSignOnLink: async ({ caller, body, request }) => {
      await finishLink(context, request, caller, toAnswer(body));
      return readOwnSettings(context, caller);
    },
    endSingleSignOn: async ({ caller, body, request }) => {
      await endOwnSingleSignOn(context, request, caller, body.password);
      return readOwnSettings(context, caller);
    },
    deleteUserSingleSignOn: async ({ caller, params: { user_id }, request }) => {
      await endUserSingleSignOn(context, request, caller, user_id);
      return { object: "organization.single_sign_on.deleted", user_id, deleted: true };
    },
  };
}

function describe({ url, stateToken: state_token, expiresAtMs }: StartedSingleSignOn) {
  const expires_at = toUnixSeconds(expiresAtMs);
  return { object: "organization.single_sign_on" as const, url, state_token, expires_at };
}

function toAnswer(body: Input<"finishSingleSignOn">["body"]): SingleSignOnAnswer {
  const { state_token: stateToken, state, code, iss } = body;
  return { stateToken, state, code, iss: iss ?? null };
}
