export type RunningService = {
  consoleUrl: string;
  /** Origin, without `/v1`. */
  gatewayUrl: string;
  /** Unknown for a gateway elsewhere. */
  gateway: { adminKey?: string; signInToken?: string; data: string } | null;
};

export function signInUrl({ consoleUrl, gateway }: RunningService): string {
  const token = gateway?.signInToken;
  return token ? `${consoleUrl}/sign-in#token=${token}` : `${consoleUrl}/sign-in`;
}

/** The first admin key, as soon as it is made; no line for a later start. */
export function describeFirstKey({ adminKey }: { readonly adminKey?: string }): string[] {
  return adminKey ? ["", `  Admin key     ${adminKey}  (shown at this start only)`, ""] : [];
}

/** The final lines of a start: the addresses, and how to stop. */
export function describeRunning(service: RunningService): string[] {
  const { consoleUrl, gatewayUrl, gateway } = service;
  const rows: [string, string][] = [["Console", consoleUrl]];
  if (gateway?.signInToken) rows.push(["Sign in", `${signInUrl(service)}  (works once)`]);
  else if (gateway) rows.push(["Sign in", "with an admin key, or a new link from: npm run sign-in-link"]);
  if (gateway?.adminKey) rows.push(["Admin key", `${gateway.adminKey}  (shown at this start only)`]);
  rows.push(["Base address", `${gatewayUrl}/v1`]);
  if (gateway) rows.push(["Data", gateway.data]);
  rows.push(["Stop", "Ctrl-C"]);
  return [
    "",
    "Gatehouse is running.",
    "",
    ...rows.map(([name, value]) => `  ${name.padEnd(14)}${value}`),
    "",
  ];
}
