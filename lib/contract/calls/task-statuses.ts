// Has no imports, so that a screen that uses it doesn't load the schemas.

export const batchStatuses = ["in_progress", "cancelling", "completed", "expired", "cancelled"] as const;

// Has no imports, so that a screen that uses it doesn't load the schemas.

export const taskStatuses = ["queued", "running", "succeeded", "failed", "canceled"] as const;
