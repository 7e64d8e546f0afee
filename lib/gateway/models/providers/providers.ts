import { isIP } from "node:net";
import { canAsk, type ProviderProtocol } from "@/lib/contract/calls/provider-protocols";
import {
  ELSEWHERE,
  isElsewhere,
  type ProviderChange,
  type ProviderDraft,
} from "@/lib/contract/operations/models/providers";
import { type ChangeRequest, change } from "../../changes/change";
import type { Transaction } from "../../changes/transactions.sql";
import { isPublicAddress } from "../../http/outbound/allowed-addresses";
import { conflict, invalid, notFound, Refusal } from "../../refusal";
import { Secret } from "../../secrets/secret";
import type { Catalogue } from "../catalogue";
import type { ModelContext } from "../models";
import {
  type Provider,
  type ProviderDirectory,
  type ProviderKey,
  parseHost,
  toProviderLimits,
} from "./provider-directory";
import { toHosted } from "./read-providers";

/** @throws Refusal 404. */
export function findProvider(directory: ProviderDirectory, id: string): Provider {
  const provider = directory.find(id);
  if (!provider) throw notFound("provider", id, "provider_id");
  return provider;
}

/** @throws Refusal 403 for a built-in provider, and for one of the configuration file. */
function refusePredefined({ id, source }: Provider, done: "changed" | "removed"): void {
  if (source === "database") return;
  const there = done === "changed" ? "change" : "remove";
  const message =
    source === "config"
      ? `"${id}" stands in the configuration file; ${there} it there and restart the gateway.`
      : `"${id}" is built in and can't be ${done}.`;
  throw new Refusal(403, "permission_error", "predefined_provider", message, { param: "provider_id" });
}

/**
 * Adds a provider, to which models can be routed at once.
 * @throws Refusal 409 for an existing id; 400 for a private address that the operator hasn't allowed.
 */
export function createProvider(
  context: ModelContext,
  request: ChangeRequest,
  draft: ProviderDraft,
): Promise<Provider> {
  return change(context, request, (transaction) => insertProvider(context, transaction, draft));
}

/** Adds a provider as a part of a change. @throws Refusal as `createProvider` does. */
export async function insertProvider(
  { directory, providers, runtime }: ModelContext,
  transaction: Transaction,
  draft: ProviderDraft,
): Promise<Provider> {
  if (directory.find(draft.id)) {
    throw conflict("id", `There is a provider "${draft.id}" already; give this one another id.`);
  }
  const provider = toProvider(directory, draft);
  await providers.insert(transaction, { ...provider, createdAtMs: runtime.clock.nowMs() });
  return provider;
}

/** The provider of a draft. @throws Refusal 400 for a private address that the operator hasn't allowed. */
export function toProvider(directory: ProviderDirectory, draft: ProviderDraft) {
  const hosted = toHosted(draft);
  const isTrusted = directory.trusts(hosted.baseUrl);
  if (!isTrusted) refusePrivateHost(parseHost(hosted.baseUrl));
  return {
    ...hosted,
    limits: toProviderLimits(hosted),
    taskApi: null,
    source: "database",
    isTrusted,
  } as const;
}

/** Checks IP addresses only. Host names are checked by each connection after they are resolved. */
function refusePrivateHost(host: string): void {
  const isPrivate = isIP(host) ? !isPublicAddress(host) : /(^|\.)localhost\.?$/.test(host);
  if (!isPrivate) return;
  const message = `base_url leads to a private address. Whoever runs the gateway can name ${host} in GATEHOUSE_PROVIDER_HOSTS, or write the provider into the configuration file.`;
  throw invalid("base_url", message);
}

/**
 * Changes the settings of calls to a provider, for calls that begin from now on. Its circuits close, and fields that it
 * was found to refuse are tried again.
 * @throws Refusal 404; 403 for a built-in or configured one.
 */
export function changeProvider(
  context: ModelContext,
  request: ChangeRequest,
  id: string,
  draft: ProviderChange,
): Promise<Provider> {
  const { directory, providers, catalogue } = context;
  return change(context, request, async (transaction) => {
    const provider = findProvider(directory, id);
    refusePredefined(provider, "changed");
    const { output_limit_field: limitField = provider.outputLimitField } = draft;
    const { messages_base_url: messagesUrl = provider.messagesBaseUrl } = draft;
    if (isElsewhere(provider.baseUrl, messagesUrl))
      throw invalid("messages_base_url", `messages_base_url ${ELSEWHERE}.`);
    if (draft.protocols) refuseUnaskedModels(catalogue, provider, draft.protocols);
    const settings = {
      protocols: draft.protocols ?? provider.protocols,
      auth: draft.auth ?? provider.auth,
      messagesBaseUrl: messagesUrl && messagesUrl.replace(/\/+$/, ""),
      outputLimitField: limitField,
      timeouts: { ...provider.timeouts, ...draft.timeouts },
      refusedFields: draft.refused_fields ?? provider.refusedFields,
    };
    await providers.saveSettings(transaction, id, settings);
    const keys = draft.api_keys ? chooseKeys(context, provider, draft.api_keys) : provider.keys;
    if (draft.api_keys) await providers.saveKeys(transaction, id, keys);
    const apiKey = keys[0]?.secret ?? null;
    return { ...provider, ...settings, apiKey, keys, limits: toProviderLimits(settings) };
  });
}

/** The keys that stay and those that are new. @throws Refusal 400 for an unknown id, or a key that is named twice. */
function chooseKeys(
  { runtime }: ModelContext,
  { id, keys }: Provider,
  wanted: NonNullable<ProviderChange["api_keys"]>,
): ProviderKey[] {
  const chosen = wanted.map((one, index) => {
    if ("key" in one)
      return { id: `key_${Buffer.from(runtime.random(6)).toString("hex")}`, secret: new Secret(one.key) };
    const known = keys.find((key) => key.id === one.id);
    if (known) return known;
    throw invalid(
      `api_keys[${index}].id`,
      `"${id}" has no key "${one.id}" any more; read the provider anew.`,
    );
  });
  const values = chosen.map(({ secret }) => secret.reveal());
  const again = values.findIndex((value, index) => values.indexOf(value) < index);
  if (again >= 0) throw invalid(`api_keys[${again}]`, `"${id}" has this key already; name each key once.`);
  return chosen;
}

/** @throws Refusal 409 where a model is routed to the provider that can't be asked in any of these protocols. */
function refuseUnaskedModels(
  catalogue: Catalogue,
  { id }: Provider,
  protocols: readonly ProviderProtocol[],
): void {
  const unasked = catalogue
    .list()
    .filter(
      ({ family, routes }) => !canAsk(protocols, family) && routes.some((route) => route.provider === id),
    );
  if (unasked.length === 0) return;
  const models = unasked.map((model) => model.id).join(", ");
  const message = `"${id}" answers calls to ${models}, which are asked in chat's protocol alone; leave chat among the protocols.`;
  throw conflict("protocols", message, "in_use");
}

/**
 * Removes a provider with its key.
 * @throws Refusal 404; 403 for a built-in or configured one; 409 while a model is routed to it.
 */
export function deleteProvider(context: ModelContext, request: ChangeRequest, id: string): Promise<void> {
  const { directory, providers, catalogue } = context;
  return change(context, request, async (transaction) => {
    refusePredefined(findProvider(directory, id), "removed");
    const routed = catalogue.list().filter(({ routes }) => routes.some((route) => route.provider === id));
    if (routed.length > 0) {
      const models = routed.map((model) => model.id).join(", ");
      throw conflict("provider_id", `"${id}" answers calls to ${models}; it can't be removed.`, "in_use");
    }
    await providers.delete(transaction, id);
  });
}

/**
 * Closes a circuit breaker in every process, so that calls pass again at once. Does nothing if it is closed.
 * @param model the model's name at the provider.
 * @throws Refusal 404 for an unknown provider, and for a model that none of its routes leads to.
 */
export function closeCircuit(
  context: ModelContext,
  request: ChangeRequest,
  { providerId, model }: { readonly providerId: string; readonly model: string },
): Promise<void> {
  const { directory, catalogue, providers, runtime } = context;
  return change(context, request, async (transaction) => {
    const { id: provider } = findProvider(directory, providerId);
    if (!catalogue.hasRoute(provider, model)) throw notFound("route to a model", model, "model");
    await providers.recordClosing(transaction, { provider, model, closedAtMs: runtime.clock.nowMs() });
  });
}
