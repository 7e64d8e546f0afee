/**
 * The kinds of providers, each as people read it. How the gateway calls one is defined under the same name in
 * `lib/gateway/providers/provider-kinds.ts`.
 */
export const providerKindTitles = {
  sandbox: "sandbox, not an AI",
  openai: "OpenAI-compatible",
} as const;

export type ProviderKindName = keyof typeof providerKindTitles;

/** The kind that is built in: it has no server. */
export type BuiltInKind = "sandbox";
/** The kinds that an administrator adds providers of. */
export type HostedKind = Exclude<ProviderKindName, BuiltInKind>;

export const providerKindNames = Object.keys(providerKindTitles) as ProviderKindName[];
export const hostedKinds = providerKindNames.filter((name): name is HostedKind => name !== "sandbox");
/** What a form that adds a provider begins with. */
export const usualHostedKind: HostedKind = "openai";
