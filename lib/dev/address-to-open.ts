/** The address at which a browser on this machine finds a server: a wildcard is listened on, never opened. */
export function addressToOpen(host: string, port: number): string {
  if (host === "0.0.0.0" || host === "::") return `http://127.0.0.1:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
