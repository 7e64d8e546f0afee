import type { ProviderKindName } from "@/lib/contract/provider-kinds";
import { httpKind } from "./http-tasks/http-kind";
import { openaiKind } from "./openai/openai-kind";
import type { ProviderKind } from "./provider-kind";
import { sandboxKind } from "./sandbox/sandbox-kind";

/** How to call each kind of provider, and how to count its tokens. */
export const providerKinds: Readonly<Record<ProviderKindName, ProviderKind>> = {
  sandbox: sandboxKind,
  openai: openaiKind,
  http: httpKind,
};
