import type { ActorContext } from "../access/authenticate";
import type { SessionContext } from "../access/sessions";
import type { AdmissionContext } from "../people/invites";
import type { ProjectStore } from "../projects/project-store.sql";
import type { Attempts } from "./attempts";
import type { CredentialStore, IdentityStore } from "./credential-store.sql";
import type { OpenIdProvider } from "./openid-provider";
import type { DeviceStore, UsedCodes } from "./sign-in-state.sql";

/** What sign-in needs: members, credentials, and counted attempts. */
export interface SignInContext extends SessionContext, ActorContext, AdmissionContext {
  readonly attempts: Attempts;
  readonly devices: DeviceStore;
  readonly credentialStore: CredentialStore;
  readonly usedCodes: UsedCodes;
  readonly identities: IdentityStore;
  readonly projects: ProjectStore;
  /** Null if the organization has none. */
  readonly openIdProvider: OpenIdProvider | null;
  /** 32 bytes. */
  readonly secret: Uint8Array;
  readonly logFault: (where: string, error: unknown) => void;
}
