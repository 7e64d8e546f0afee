import type { ModelRoute } from "@/lib/contract/operations/models/models";
import { AddressNotAllowed, ConnectTimeout } from "../http/outbound/allowed-addresses";
import { Refusal } from "../refusal";
import { ProviderRefusal } from "./provider-failure";

/** The failure, which also says to callers who may read providers which provider failed, why, and how to correct it. */
export function explainFailure<Failure>(failure: Failure, route: ModelRoute): Failure | Refusal {
  if (!(failure instanceof ProviderRefusal) || failure.cause === undefined) return failure;
  const { status, type, code, message, details } = failure;
  const fullMessage = `${message} ${describeFailureCause(failure, route)}`;
  const fuller = { permission: "api.providers.read" as const, projectId: null, message: fullMessage };
  return new Refusal(status, type, code, message, { ...details, fuller });
}

const describeEmptyAccount = (provider: string) =>
  `The gateway's account at the ${provider} has no credit left. Top it up.`;

const statusCauses: Readonly<Record<number, (provider: string, model: string) => string>> = {
  401: (provider) => `The ${provider} refuses the gateway's key (401). Replace the provider's key.`,
  402: describeEmptyAccount,
  403: (provider) =>
    `The ${provider} doesn't allow the gateway's key to make this call (403). Use another key, or extend its permissions.`,
  404: (provider, model) =>
    `The ${provider} knows no model "${model}", or its base_url leads elsewhere (404). Correct the route or the address.`,
  429: describeEmptyAccount,
};

const networkCauses: readonly [RegExp, (provider: string, code: string) => string][] = [
  [
    /REFUSED|ConnectionRefused|FailedToOpenSocket/,
    (provider) => `The ${provider} refused the connection. Start it, or correct its base_url.`,
  ],
  [
    /ENOTFOUND|EAI_AGAIN|DNS/,
    (provider) => `The host of the ${provider} can't be found. Correct its base_url or the name server.`,
  ],
  [
    /CERT|SELF_SIGNED|SSL|TLS/,
    (provider, code) =>
      `The certificate of the ${provider} is not accepted (${code}). Renew it, or make the machine trust its issuer.`,
  ],
  [
    /ECONNRESET|ConnectionClosed|EPIPE/,
    (provider) => `The ${provider} closed the connection before its answer was complete.`,
  ],
];

/** Which provider failed, why, and how to correct it. */
export function describeFailureCause(
  { cause, upstreamStatus, words }: ProviderRefusal,
  route: ModelRoute,
): string {
  const provider = `provider "${route.provider}"`;
  const describeStatus = upstreamStatus === null ? undefined : statusCauses[upstreamStatus];
  if (describeStatus) return describeStatus(provider, route.model);
  if (upstreamStatus !== null) return `The ${provider} answered with status ${upstreamStatus}.`;
  if (cause instanceof AddressNotAllowed) return `${cause.message}.`;
  if (cause instanceof ConnectTimeout) return `The ${provider} accepted no connection in time.`;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const networkCause = networkCauses.find(([pattern]) => pattern.test(code));
  return networkCause
    ? networkCause[1](provider, code)
    : `The ${provider} failed: ${cause instanceof Error ? cause.message : cause}${words ? `: ${words.replace(/\.$/, "")}` : ""}.`;
}
