import type { Write } from "../changes/change";
import type { Transaction } from "../changes/transaction";
import type { Identity } from "./identity-store.sql";

/** A sign-in whose password was correct and whose second factor is pending. */
interface Challenge {
  readonly id: string;
  readonly userId: string;
}

/** A second factor that is not confirmed yet. */
export interface TwoFactorDraft {
  /** The Key URI for setting up an authenticator app. */
  readonly otpauthUri: string;
  readonly backupCodes: readonly string[];
}

export interface StartedSingleSignOn {
  /** The provider's page. */
  readonly url: string;
  /** The browser keeps it until the provider answers. */
  readonly stateToken: string;
  readonly expiresAtMs: number;
}

export interface SingleSignOnAnswer {
  readonly stateToken: string;
  readonly state: string;
  readonly code: string;
  readonly iss: string | null;
}

/** The session of the member who links an identity. */
export interface LinkRequest {
  readonly userId: string;
  readonly sessionId: string;
}

/** The person that the provider authenticated. */
export interface AuthenticatedPerson extends Identity {
  /** The address in lower case; null unless the provider says that it verified it. */
  readonly email: string | null;
  readonly name: string | null;
  /** The requested link; null for a sign-in. */
  readonly link: LinkRequest | null;
}

/**
 * Verifies credentials. Ids are members' ids. State between two requests is encrypted into a token that the client
 * keeps, so that strangers can't fill the memory.
 */
export interface Credentials {
  createChallenge(userId: string): { challenge: string; expiresAtMs: number };
  /** Null for a token that this gateway did not make, and after ten minutes. */
  readChallenge(challenge: string): Challenge | null;
  /**
   * `code` is the app's, or a backup code, which is then used up.
   * @returns whether it is correct; it may have been used before.
   */
  checkCode(write: Write, userId: string, code: string): Promise<boolean>;
  /** Call it after the password was verified. @throws Refusal 409 if a second factor is on. */
  startTwoFactor(write: Write, userId: string): Promise<TwoFactorDraft>;
  /** @returns whether the code is correct. @throws Refusal 409 if no setup was begun. */
  confirmTwoFactor(write: Write, userId: string, code: string): Promise<boolean>;
  backupCodesLeft(userId: string): Promise<number>;
  /** Null if the provider is unreachable. */
  startSingleSignOn(link: LinkRequest | null): Promise<StartedSingleSignOn | null>;
  /**
   * Null if the provider authenticated nobody, or if the answer belongs to another sign-in. `useState` marks the state
   * as used before the provider is asked, and says whether it was unused.
   */
  finishSingleSignOn(
    answer: SingleSignOnAnswer,
    useState: (state: string) => Promise<boolean>,
  ): Promise<AuthenticatedPerson | null>;
}

/** The ways in which a member can sign in. */
interface SignInRecord {
  readonly hasPassword: boolean;
  readonly hasTwoFactor: boolean;
}

export interface CredentialStore {
  find(userId: string): Promise<SignInRecord | null>;
  hasAnyPassword(): Promise<boolean>;
  /** @returns whether the password is correct. For null it is false, and takes as long. */
  verifyPassword(userId: string | null, password: string): Promise<boolean>;
  /** Sets or replaces a member's password. */
  setPassword(
    transaction: Transaction,
    member: { id: string; email: string; name: string },
    passwordHash: string,
    atMs: number,
  ): Promise<void>;
  /** @returns whether there was one. */
  removeTwoFactor(transaction: Transaction, userId: string, atMs: number): Promise<boolean>;
  /** Records a member's failed sign-in in the audit log. It changes no row. */
  logFailedSignIn(transaction: Transaction, member: { id: string; email: string }): Promise<void>;
}
