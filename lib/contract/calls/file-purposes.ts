// Has no imports, so that a screen that uses it doesn't load the schemas.

/** The purposes of uploads. */
export const uploadPurposes = ["batch", "user_data"] as const;
export const filePurposes = [...uploadPurposes, "batch_output"] as const;
