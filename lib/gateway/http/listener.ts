/** A connection that rests between two requests is closed after this long; load balancers let theirs rest for a minute. */
export const REST_SECONDS = 75;

/**
 * How `Bun.serve` is to listen. Its own deadline of 10 seconds for a request's head can't be changed, and its idle timeout runs
 * from the head on, whatever comes or goes: so a request in progress has none, and it applies only to idle connections.
 */
export const listening = { idleTimeout: REST_SECONDS };

/** The part of `Bun.serve`'s server that a request needs. */
export interface Listener {
  requestIP(request: Request): { readonly address: string; readonly port: number } | null;
  /** Closes the request's connection after so many seconds, whatever comes or goes until then; never for 0. */
  timeout(request: Request, seconds: number): void;
}

/** For a gateway that is called without a port. */
export const noListener: Listener = { requestIP: () => null, timeout: () => {} };
