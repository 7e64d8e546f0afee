/**
 * The kinds of providers, with their display names. How the gateway calls each is defined in
 * `lib/gateway/providers/provider-kinds.ts`.
 */
export const providerKindTitles = {
  sandbox: "sandbox, not an AI",
  openai: "OpenAI-compatible",
} as const;

export type ProviderKindName = keyof typeof providerKindTitles;

/** The built-in kind, which has no server. */
export type BuiltInKind = "sandbox";
/** The kinds that an administrator can add. */
export type HostedKind = Exclude<ProviderKindName, BuiltInKind>;

export const providerKindNames = Object.keys(providerKindTitles) as ProviderKindName[];
export const hostedKinds = providerKindNames.filter((name): name is HostedKind => name !== "sandbox");
/** The default kind in the form that adds a provider. */
export const defaultHostedKind: HostedKind = "openai";
