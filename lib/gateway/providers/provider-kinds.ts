import type { ProviderKindName } from "@/lib/contract/calls/provider-kinds";
import { httpKind } from "./http-tasks/http-kind";
import { openaiKind } from "./openai/openai-kind";
import type { AnswerKind, ProviderKind } from "./provider-kind";
import { sandboxKind } from "./sandbox/sandbox-kind";

/** How to call each kind of provider, how to count its tokens, and how it makes files. */
export const providerKinds: Readonly<Record<ProviderKindName, ProviderKind>> = {
  sandbox: sandboxKind,
  openai: openaiKind,
  http: httpKind,
};

/** @throws TypeError for a kind that only makes files: the catalogue lets no other model lead to it. */
export function findAnswerKind(name: ProviderKindName): AnswerKind {
  const { answers } = providerKinds[name];
  if (!answers) throw new TypeError(`A provider of the kind ${name} only makes files`);
  return answers;
}
