/**
 * Options of a query that fails at once offline, so that the screen says why, and is made again once there is a
 * connection. By default it would wait silently.
 */
export const evenOffline = { networkMode: "always", refetchOnReconnect: true } as const;
