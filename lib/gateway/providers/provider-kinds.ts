import type { ProviderKindName } from "@/lib/contract/provider-kinds";
import { openaiKind } from "./openai/openai-kind";
import type { ProviderKind } from "./provider-kind";
import { sandboxKind } from "./sandbox/sandbox-kind";

/** How providers of each kind are called and counted. */
export const providerKinds: Readonly<Record<ProviderKindName, ProviderKind>> = {
  sandbox: sandboxKind,
  openai: openaiKind,
};
