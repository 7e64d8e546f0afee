// Without imports, so that a screen needs no schemas for it.

export const taskStatuses = ["queued", "running", "succeeded", "failed", "canceled"] as const;
