/** Ports nothing listens on, all different. */
export function findFreePorts(count: number): number[] {
  const servers = Array.from({ length: count }, () =>
    Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } }),
  );
  const ports = servers.map((server) => server.port);
  for (const server of servers) server.stop(true);
  return ports;
}
