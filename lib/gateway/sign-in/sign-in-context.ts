import type { ActorContext } from "../access/resolve-actor";
import type { SessionContext } from "../access/sessions";
import type { AdmissionContext } from "../people/invites";
import type { UserStore } from "../people/user-store.sql";
import type { ProjectStore } from "../projects/project-store.sql";
import type { Attempts } from "./attempts";
import type { CredentialStore, Credentials } from "./credentials";
import type { DeviceStore } from "./device-store.sql";
import type { IdentityStore } from "./identity-store.sql";
import type { UsedCodes } from "./used-code-store.sql";

/** What sign-in needs: members, credentials, and counted attempts. */
export interface SignInContext extends SessionContext, ActorContext, AdmissionContext {
  readonly attempts: Attempts;
  readonly users: Pick<UserStore, "recordSignIn">;
  readonly devices: DeviceStore;
  readonly credentials: Credentials;
  readonly credentialStore: CredentialStore;
  readonly usedCodes: UsedCodes;
  readonly identities: IdentityStore;
  readonly projects: ProjectStore;
  /** Null if the organization has no OpenID provider. */
  readonly openIdProvider: { readonly name: string } | null;
  readonly logFault: (where: string, error: unknown) => void;
}
