import { isMediaFamily, type MediaFamily, type ModelFamily, mediaFamilies } from "./model-families";

/**
 * The kinds of providers, with their display names. How the gateway calls each is defined in
 * `lib/gateway/providers/provider-kinds.ts`.
 */
export const providerKindTitles = {
  sandbox: "sandbox, not an AI",
  openai: "OpenAI-compatible",
  http: "HTTP task API",
} as const;

export type ProviderKindName = keyof typeof providerKindTitles;

/** The built-in kind, which has no server. */
export type BuiltInKind = "sandbox";
/** The kind whose API is mapped in the configuration file, and nowhere else. */
export type MappedKind = "http";
/** The kinds that an administrator can add. */
export type HostedKind = Exclude<ProviderKindName, BuiltInKind | MappedKind>;

export const providerKindNames = Object.keys(providerKindTitles) as ProviderKindName[];
export const hostedKinds = providerKindNames.filter(
  (name): name is HostedKind => name !== "sandbox" && name !== "http",
);
/** The default kind in the form that adds a provider. */
export const defaultHostedKind: HostedKind = "openai";

/** The families whose files each kind makes; null for the kind whose task API names them. */
const madeFamilies: Readonly<Record<ProviderKindName, readonly MediaFamily[] | null>> = {
  sandbox: mediaFamilies,
  openai: ["image", "video"],
  http: null,
};

/** The families whose files a provider makes. @param makes those that its task API names, if it has one. */
export function listMadeFamilies(
  kind: ProviderKindName,
  makes: readonly MediaFamily[] = [],
): readonly MediaFamily[] {
  return madeFamilies[kind] ?? makes;
}

/** Whether a provider serves models of a family. Parameters are as in `listMadeFamilies`. */
export function servesFamily(
  kind: ProviderKindName,
  makes: readonly MediaFamily[] | undefined,
  family: ModelFamily,
): boolean {
  if (isMediaFamily(family)) return listMadeFamilies(kind, makes).includes(family);
  return madeFamilies[kind] !== null;
}
