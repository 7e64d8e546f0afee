import { hostedKinds } from "@/lib/contract/calls/provider-protocols";
import type { ProviderTimeouts } from "@/lib/contract/calls/provider-timeouts";
import type { ConfigurationFile } from "../../configuration/configuration";
import { SECRET_NAME } from "../../configuration/read-configuration";
import { defaultProviderLimits, type Provider } from "../../models/providers/provider-directory";
import { toHosted } from "../../models/providers/read-providers";
import { after, type DeclaredObject, type Fields, refuseFixed, type Section } from "../section";

type FileProvider = NonNullable<ConfigurationFile["providers"]>[number];

/** Read at start alone. */
const atStart = ["task_api", "max_concurrent_requests", "circuit"];

export const providers: Section = {
  part: "providers",
  inside: null,
  reads: ["api.providers.read"],
  isImplicit: false,
  write({ directory }, file) {
    file.providers = directory
      .list()
      .filter(({ source }) => source !== "built_in")
      .map((provider) => writeProvider(provider) as FileProvider);
  },
  declare: ({ providers: declared = [] }) => declared.map(declareProvider),
  covers: (file) => () => file.providers !== undefined,
  calls(_view, change, readSecret) {
    const id = change.path[1] ?? "";
    const params = { provider_id: id };
    if (change.kind === "remove") return [{ id: "deleteProvider", params }];
    refuseFixed(change, atStart, "set it in the file that the gateway starts with");
    if (change.kind === "create") {
      const { secrets: names = [] } = change;
      const keys = names.length > 0 && { api_keys: names.map(readSecret) };
      return [{ id: "createProvider", body: { id, ...after(change), ...keys } }];
    }
    refuseFixed(change, ["kind", "base_url"], "add a provider with another id");
    return [{ id: "changeProvider", params, body: after(change) }];
  },
};

function writeProvider(provider: Provider): Fields {
  const { id, kind, baseUrl: base_url, keys, taskApi, limits } = provider;
  const name = `${id.toUpperCase().replaceAll("-", "_")}_API_KEY`;
  const [first, ...further] = keys.map((_, index) => `\${${index === 0 ? name : `${name}_${index + 1}`}}`);
  const key = further.length > 0 ? { api_keys: [first, ...further] } : first && { api_key: first };
  if (taskApi) return { id, kind, base_url, ...key, task_api: taskApi };
  const { maxConcurrentRequests, circuit } = limits;
  const usual = defaultProviderLimits;
  return {
    id,
    kind,
    base_url,
    ...key,
    protocols: [...provider.protocols],
    auth: provider.auth,
    ...(provider.messagesBaseUrl && { messages_base_url: provider.messagesBaseUrl }),
    ...(provider.outputLimitField && { output_limit_field: provider.outputLimitField }),
    ...named("timeouts", withoutNulls(provider.timeouts)),
    ...(provider.refusedFields.length > 0 && { refused_fields: [...provider.refusedFields] }),
    ...(maxConcurrentRequests !== usual.maxConcurrentRequests && {
      max_concurrent_requests: maxConcurrentRequests,
    }),
    ...(circuit === null && { circuit: false }),
    ...(circuit &&
      JSON.stringify(circuit) !== JSON.stringify(usual.circuit) && {
        circuit: { failures: circuit.failures, pause_seconds: circuit.pauseMs / 1000 },
      }),
  };
}

/** A field that a preset fills in counts as declared. */
function declareProvider(draft: FileProvider): DeclaredObject {
  const { id, api_key: only, api_keys: keys = only ? [only] : [] } = draft;
  const secrets = keys.flatMap((key) => SECRET_NAME.exec(key)?.[1] ?? []);
  const path = ["providers", id];
  if (!isHosted(draft))
    return {
      path,
      secrets,
      fields: { kind: draft.kind, base_url: draft.base_url, task_api: draft.task_api },
    };
  const hosted = toHosted({ ...draft, api_key: null, api_keys: [] });
  const isDeclared = (name: keyof typeof draft) => draft[name] !== undefined || draft.preset !== undefined;
  const { max_concurrent_requests, circuit } = draft;
  const fields = {
    kind: hosted.kind,
    base_url: hosted.baseUrl,
    ...(isDeclared("protocols") && { protocols: hosted.protocols }),
    ...(isDeclared("auth") && { auth: hosted.auth }),
    ...(isDeclared("messages_base_url") && { messages_base_url: hosted.messagesBaseUrl }),
    ...(draft.output_limit_field !== undefined && { output_limit_field: draft.output_limit_field }),
    ...named("timeouts", draft.timeouts && withoutNulls(draft.timeouts)),
    ...(isDeclared("refused_fields") && { refused_fields: [...hosted.refusedFields].toSorted() }),
    ...named("max_concurrent_requests", max_concurrent_requests),
    ...named("circuit", circuit),
  };
  return { path, secrets, fields };
}

function isHosted(draft: FileProvider): draft is Exclude<FileProvider, { kind: "http" }> {
  return hostedKinds.some((kind) => kind === draft.kind);
}

function withoutNulls(timeouts: ProviderTimeouts): Fields | undefined {
  const set = Object.entries(timeouts).filter(([, seconds]) => seconds !== null && seconds !== undefined);
  return set.length > 0 ? Object.fromEntries(set.toSorted()) : undefined;
}

const named = (name: string, value: unknown): Fields => (value === undefined ? {} : { [name]: value });
