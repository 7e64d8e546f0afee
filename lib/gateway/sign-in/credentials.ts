import type { Write } from "../changes/change";
import type { Transaction } from "../changes/transaction";
import type { Identity } from "./identities";

/** A sign-in whose password was right, and that waits for its code. */
export interface Challenge {
  readonly id: string;
  readonly userId: string;
}

/** A second factor that is not confirmed yet. */
export interface TwoFactorDraft {
  /** The Key URI that an authenticator app is set up with. */
  readonly otpauthUri: string;
  readonly backupCodes: readonly string[];
}

export interface StartedSingleSignOn {
  /** The provider's page. */
  readonly url: string;
  /** Kept by the browser until the provider has answered. */
  readonly stateToken: string;
  readonly expiresAtMs: number;
}

export interface SingleSignOnAnswer {
  readonly stateToken: string;
  readonly state: string;
  readonly code: string;
  readonly iss: string | null;
}

/** The member's session in which an identity is to be linked to them. */
export interface LinkRequest {
  readonly userId: string;
  readonly sessionId: string;
}

/** The person whom the provider has authenticated. */
export interface AuthenticatedPerson extends Identity {
  /** In lower case; null unless the provider says that it has verified it. */
  readonly email: string | null;
  readonly name: string | null;
  /** The link that was asked for; null for a sign-in. */
  readonly link: LinkRequest | null;
}

/**
 * Checks what people prove their identity with. Ids are members'. State between two requests is encrypted into a token that the
 * client keeps, so that strangers can't fill the memory.
 */
export interface Credentials {
  createChallenge(userId: string): { challenge: string; expiresAtMs: number };
  /** Null for a token that was not made here, and after ten minutes. */
  readChallenge(challenge: string): Challenge | null;
  /** `code` is the app's, or a backup code, which is then spent. @returns whether it is right; it may have been used before. */
  checkCode(write: Write, userId: string, code: string): Promise<boolean>;
  /** The member has shown their password already. @throws Refusal 409 where a second factor is on. */
  startTwoFactor(write: Write, userId: string): Promise<TwoFactorDraft>;
  /** @returns whether the code is the app's. @throws Refusal 409 where nothing was begun. */
  confirmTwoFactor(write: Write, userId: string, code: string): Promise<boolean>;
  backupCodesLeft(userId: string): Promise<number>;
  /** Null where the provider can't be reached. */
  startSingleSignOn(link: LinkRequest | null): Promise<StartedSingleSignOn | null>;
  /** Null where the provider has authenticated nobody, or where the answer belongs to another start. */
  finishSingleSignOn(answer: SingleSignOnAnswer): Promise<AuthenticatedPerson | null>;
}

/** How a member can sign in. */
export interface SignInRecord {
  readonly hasPassword: boolean;
  readonly hasTwoFactor: boolean;
}

export interface CredentialStore {
  find(userId: string): Promise<SignInRecord | null>;
  hasAnyPassword(): Promise<boolean>;
  /** @returns whether this is the member's password. For null it is false, and takes as long. */
  verifyPassword(userId: string | null, password: string): Promise<boolean>;
  /** Sets a password, for a member who has none as well. */
  setPassword(
    transaction: Transaction,
    member: { id: string; email: string; name: string },
    passwordHash: string,
    atMs: number,
  ): Promise<void>;
  /** @returns whether there was one. */
  removeTwoFactor(transaction: Transaction, userId: string, atMs: number): Promise<boolean>;
  /** Leaves an event of a member in the audit log, though nothing of theirs has changed. */
  logFailedSignIn(transaction: Transaction, member: { id: string; email: string }): Promise<void>;
}

/** One-time codes and challenges that were used. */
export interface UsedCodes {
  /** Whether one has been used. */
  isUsed(userId: string, code: string): Promise<boolean>;
  /** Uses one up. @returns false where it was used before, also at the same moment. */
  use(transaction: Transaction, userId: string, code: string, atMs: number): Promise<boolean>;
  /** Forgets those that were used at `untilMs` or before. */
  prune(transaction: Transaction, untilMs: number): Promise<void>;
}
