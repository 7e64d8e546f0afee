/** Where a proof has led. */
export type SignInVerdict =
  | { readonly kind: "member"; readonly userId: string }
  /** The password was right; a code is asked for besides. */
  | { readonly kind: "challenge"; readonly challenge: string; readonly expiresAtMs: number }
  | { readonly kind: "refused" };

/** What a member has shown for a challenge. `spent`: it has expired, was answered, or was tried too often. */
export type ChallengeVerdict =
  | { readonly kind: "member"; readonly userId: string }
  | { readonly kind: "refused"; readonly userId: string }
  | { readonly kind: "spent" };

export interface SingleSignOnAnswer {
  readonly stateToken: string;
  readonly state: string;
  readonly code: string;
  readonly iss: string | null;
}

/** Checks what people show to prove who they are. Ids are members'. */
export interface Credentials {
  checkPassword(email: string, password: string): Promise<SignInVerdict>;
  /** `code` is the app's, or a backup code, which is then spent. */
  answerChallenge(challenge: string, code: string): Promise<ChallengeVerdict>;
  /** `password` is the member's, checked already. @throws Refusal 409 where a second factor is on. */
  startTwoFactor(
    userId: string,
    password: string,
  ): Promise<{ otpauthUri: string; backupCodes: readonly string[] }>;
  /** @returns whether the code is the app's. @throws Refusal 409 where nothing was begun. */
  confirmTwoFactor(userId: string, code: string): Promise<boolean>;
  backupCodesLeft(userId: string): Promise<number>;
  /** Null where the provider can't be reached. */
  startSingleSignOn(): Promise<{ url: string; stateToken: string; expiresAtMs: number } | null>;
  /** The member the provider vouches for; null where it vouches for none. */
  finishSingleSignOn(answer: SingleSignOnAnswer): Promise<{ userId: string } | null>;
}

/** What of a member's sign-in is stored. */
export interface SignInRecord {
  readonly hasPassword: boolean;
  readonly hasTwoFactor: boolean;
  readonly hasSingleSignOn: boolean;
}

export interface CredentialStore {
  find(userId: string): Promise<SignInRecord | null>;
  hasAnyPassword(): Promise<boolean>;
  /** @returns whether this is the member's password. */
  verifyPassword(userId: string, password: string): Promise<boolean>;
  /** Sets a password, for a member who has none as well. */
  setPassword(
    member: { id: string; email: string; name: string },
    password: string,
    atMs: number,
  ): Promise<void>;
  /** @returns whether there was one. */
  removeTwoFactor(userId: string, atMs: number): Promise<boolean>;
}
