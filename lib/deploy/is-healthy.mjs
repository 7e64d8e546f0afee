// Whether the program of this container answers: the gateway at GATEWAY_PORT, otherwise the console at PORT.
const { GATEWAY_PORT = "8080", PORT = "3000" } = process.env;
const addresses = [`http://127.0.0.1:${GATEWAY_PORT}/healthz`, `http://127.0.0.1:${PORT}/sign-in`];
const isHealthy = (address) =>
  fetch(address, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
process.exit((await Promise.all(addresses.map(isHealthy))).some(Boolean) ? 0 : 1);
