const times = { createdAt: "created_at", updatedAt: "updated_at" };

/** The names of the sign-in library's tables and columns in this database. */
export const signInTables = {
  user: {
    modelName: "sign_in_users",
    fields: { emailVerified: "email_verified", ...times },
  },
  account: {
    modelName: "sign_in_accounts",
    fields: {
      userId: "user_id",
      providerId: "provider_id",
      accountId: "account_id",
      accessToken: "access_token",
      refreshToken: "refresh_token",
      idToken: "id_token",
      accessTokenExpiresAt: "access_token_expires_at",
      refreshTokenExpiresAt: "refresh_token_expires_at",
      ...times,
    },
  },
  twoFactor: {
    schema: {
      user: { fields: { twoFactorEnabled: "two_factor_enabled" } },
      twoFactor: {
        modelName: "sign_in_two_factors",
        fields: {
          userId: "user_id",
          backupCodes: "backup_codes",
          failedVerificationCount: "failed_verification_count",
          lockedUntil: "locked_until",
        },
      },
    },
  },
};
