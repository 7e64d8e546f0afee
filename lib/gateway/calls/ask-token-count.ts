import { isObject } from "@/lib/contract/json-value";
import { joinPieces } from "../http/body-reader";
import { parseBounded } from "../http/json";
import { withReply } from "../http/outbound/server-reply";
import type { CatalogueModel } from "../models/catalogue";
import { findConnection } from "../providers/open-connection";
import { MAX_ERROR_BYTES } from "../providers/provider-failure";
import type { ProjectKeyPair } from "../providers/provider-link";
import type { Providers } from "../providers/provider-links";
import { isRunning } from "../providers/routing/order-routes";
import type { RequestHeaders } from "../request-headers";
import { decodeText } from "./replies/completion";
import { readBounded } from "./replies/fetch-reply";
import type { CompletionRequest } from "./requests/prepared-request";
import { pickPassedHeaders } from "./requests/upstream-request";
import { readCount } from "./usage/read-usage";

/** The estimate takes the place of a count that takes longer. */
const COUNT_MS = 10_000;

interface CountedCall {
  readonly requestId: string;
  readonly request: CompletionRequest;
  readonly headers: RequestHeaders;
  readonly pair: ProjectKeyPair;
}

/** The tokens of a message's prompt as a provider of the model counts them; null where none that is free does. */
export async function askTokenCount(
  providers: Providers,
  { routes }: Pick<CatalogueModel, "routes">,
  { requestId, request, headers, pair }: CountedCall,
): Promise<number | null> {
  const speakers = routes.filter(
    (route) => speaksMessages(providers, route.provider) && isRunning(route, providers.links.nowMs()),
  );
  const connection = findConnection(providers, { routes: speakers, pair });
  if (!connection) return null;
  const { link, route } = connection;
  try {
    const { baseUrl, account, outputLimitField, client } = link;
    const terms = { protocol: "messages", baseUrl, account, model: route.model, maxTokens: null } as const;
    const body = await request.upstream({ ...terms, outputLimitField, leftOut: [] });
    const sent = { requestId, body, headers: pickPassedHeaders(headers, "messages"), stream: false };
    const send = client.send?.bind(client);
    if (!send) return null;
    return await withReply(
      () => send({ ...sent, endpoint: "messages/count_tokens" }),
      AbortSignal.timeout(COUNT_MS),
      async (reply) => {
        if (reply.status !== 200) return null;
        const counted = parseBounded(decodeText(joinPieces(await readBounded(reply, MAX_ERROR_BYTES))));
        return isObject(counted) ? readCount(counted.input_tokens) : null;
      },
    );
  } catch {
    return null;
  } finally {
    connection.end();
  }
}

function speaksMessages({ directory }: Providers, id: string): boolean {
  return directory.find(id)?.protocols.includes("messages") ?? false;
}
