// Has no imports, so that a screen that uses it doesn't load the schemas.

/** The fields that a summary can group by. */
export const usageDimensions = ["project_id", "model", "provider", "api_key_id", "user_id"] as const;
export type UsageDimension = (typeof usageDimensions)[number];
