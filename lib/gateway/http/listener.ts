/** The idle timeout of a kept connection; load balancers usually wait for a minute. */
export const REST_SECONDS = 75;

/**
 * Options for `Bun.serve`. Its 10-second deadline for a request's head can't be changed, and its idle timeout starts at
 * the head whatever is transferred afterwards. So a request in progress has no timeout, and this one applies to idle
 * connections.
 */
export const listening = { idleTimeout: REST_SECONDS };

/** The part of `Bun.serve`'s server that requests need. */
export interface Listener {
  requestIP(request: Request): { readonly address: string; readonly port: number } | null;
  /** Closes the request's connection after this many seconds, even while data is transferred; 0 disables it. */
  timeout(request: Request, seconds: number): void;
}

/** For a gateway that is called without a port. */
export const noListener: Listener = { requestIP: () => null, timeout: () => {} };
