/** The address at which a local browser reaches a server: a wildcard address can't be opened. */
export function addressToOpen(host: string, port: number): string {
  if (host === "0.0.0.0" || host === "::") return `http://127.0.0.1:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
