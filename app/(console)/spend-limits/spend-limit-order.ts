/** The projects that will reach their limit first come first. */
export const byReached = { column: "limit_reached_at", descending: false };
