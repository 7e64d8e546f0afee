/**
 * How long a client has to send a connection's first head, each further head from its first byte on, and what remains of a
 * body.
 */
export const HEAD_SECONDS = 10;
/** For how long a connection may rest between requests, or its client not read; load balancers usually wait for a minute. */
export const REST_SECONDS = 75;
/** The rest of a body that nobody read is received up to this size, so that its connection can be kept. */
export const MAX_DISCARDED_BYTES = 256 * 1024;
