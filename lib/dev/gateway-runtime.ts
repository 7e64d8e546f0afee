/** Settings that Bun and its engine read when the gateway's process starts. `npm run gateway` sets them too. */
export const gatewayRuntime = {
  /** Connections to all providers together; the default is 256. */
  BUN_CONFIG_MAX_HTTP_REQUESTS: "65535",
  // Under load, two threads return free memory to the system in holes and fetch it again: 4 page faults for each call
  // instead of 0.5. Without them the process keeps about 20 MB more, and still returns what is free as a whole.
  MIMALLOC_PURGE_HOLES: "0",
  BUN_JSC_useWarmUpMarkedBlocks: "0",
} as const;
