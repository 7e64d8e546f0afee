/** Settings that Bun and its engine read when the gateway's process starts. `npm run gateway` sets them too. */
export const gatewayRuntime = {
  /** Connections to all providers together; the default is 256. */
  BUN_CONFIG_MAX_HTTP_REQUESTS: "65535",
  // Under load, two threads return free memory to the system and fetch it again all the time: 4 page faults for each
  // call. With 5 s (in ms) between two returns, and none fetched ahead, there are few, and the memory at rest is the
  // same.
  MIMALLOC_PURGE_HOLES_MIN_INTERVAL: "5000",
  BUN_JSC_useWarmUpMarkedBlocks: "0",
} as const;
