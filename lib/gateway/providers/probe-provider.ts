import { ResponseTimeout } from "../http/outbound/request-once";
import type { Provider } from "../models/providers/provider-directory";
import { describeFailureCause } from "./explain-failure";
import { ProviderRefusal } from "./provider-failure";
import type { ProviderLink } from "./provider-link";

const ANSWER_MS = 10_000;

/** The result of connecting to a provider. */
interface ProviderFinding {
  readonly outcome: "reached" | "refused" | "unreachable";
  /** The reply's status; null without a reply. */
  readonly status: number | null;
  readonly message: string;
}

/** Connects to a provider and lists its models with the gateway's key, which costs nothing. */
export async function probeProvider(provider: Provider, link: ProviderLink): Promise<ProviderFinding> {
  const { client } = link;
  if (!client.ask && client.reach) return reachOnly(provider, client.reach);
  if (!client.ask) {
    return { outcome: "reached", status: null, message: "It is built in: there is nothing to connect to." };
  }
  let status: number;
  try {
    status = await client.ask(ANSWER_MS);
  } catch (error) {
    const cause = error instanceof ResponseTimeout ? error.message : describeFailure(error, provider);
    return { outcome: "unreachable", status: null, message: `${cause.replace(/\.$/, "")}.` };
  }
  link.noteAnswered();
  if (status === 401 || status === 403) {
    const message = `It answers, and refuses the gateway's key (${status}). Replace the provider's key.`;
    return { outcome: "refused", status, message };
  }
  if (status === 402) {
    const message = "It answers, and the gateway's account there has no credit left (402). Top it up.";
    return { outcome: "refused", status, message };
  }
  if (status === 404) {
    const message =
      "It answers, and lists no models (404): base_url may lead elsewhere. Calls may work all the same.";
    return { outcome: "reached", status, message };
  }
  if (status >= 500) {
    return {
      outcome: "unreachable",
      status,
      message: `It answers with an error of its own (${status}). Try again later.`,
    };
  }
  const message =
    status < 300 ? "It answers, and accepts the gateway's key." : `It answers with status ${status}.`;
  return { outcome: "reached", status, message };
}

/** Opens a connection and sends nothing, for providers without a free request. */
async function reachOnly(provider: Provider, reach: (ms: number) => Promise<void>): Promise<ProviderFinding> {
  try {
    await reach(ANSWER_MS);
  } catch (error) {
    return {
      outcome: "unreachable",
      status: null,
      message: `${describeFailure(error, provider).replace(/\.$/, "")}.`,
    };
  }
  const message = "It accepts connections. Its API has no free request that would check the key.";
  return { outcome: "reached", status: null, message };
}

function describeFailure(error: unknown, { id }: Provider): string {
  return describeFailureCause(new ProviderRefusal(502, "", { cause: error }), { provider: id, model: "" });
}
