import type { OmittableField } from "@/lib/contract/calls/omittable-fields";
import type { ProviderAuth } from "@/lib/contract/calls/provider-protocols";
import type { TaskApi } from "@/lib/contract/calls/task-api";
import type { OutputLimitField } from "@/lib/contract/operations/models/providers";
import type { Clock } from "../clock";
import type { Secret } from "../secrets/secret";
import type { MediaClient, MediaOrder } from "./media-client";
import type { EmbeddingInput, Prompt, PromptEstimate } from "./prompt-size/estimate-prompt";
import type { ProviderClient } from "./provider-client";

/** A provider's server; the built-in provider has none. */
export interface ProviderServer {
  /** The address without a trailing slash, including `/v1` if the server has it. */
  readonly baseUrl: string;
  readonly apiKey: Secret | null;
  readonly auth: ProviderAuth;
  /** The base address of messages, at the same server; null where it is `baseUrl`. */
  readonly messagesBaseUrl: string | null;
  /** Whether it may be at a private address. */
  readonly isTrusted: boolean;
  /** The server's task API, for the kind `http`. */
  readonly taskApi?: TaskApi | null;
  /** Fields that it is never sent. */
  readonly refusedFields?: readonly OmittableField[];
}

/** Why a provider can't carry out an order: the field of the call, with a sentence. */
export interface OrderFault {
  readonly field: string;
  readonly message: string;
}

/** Everything that is specific to one kind of provider. */
export interface ProviderKind {
  createClient(server: ProviderServer, clock: Clock): ProviderClient;
  /** Absent for kinds that only make files. */
  readonly answers?: AnswerKind;
  /** Absent for kinds that make no files. */
  readonly files?: FileKind;
}

/** How a kind answers calls in OpenAI's form. Its client can `send`. */
export interface AnswerKind {
  /** The request field for the output limit, unless the provider's settings name another. */
  defaultOutputLimitField(baseUrl: string): OutputLimitField;
  /** @param contextWindow the maximum tokens of prompt and output; null if it is unknown. */
  estimatePrompt(prompt: Prompt, contextWindow: number | null): PromptEstimate;
  /** @param contextWindow the maximum tokens of one input; null if it is unknown. */
  estimateInputs(inputs: readonly EmbeddingInput[], contextWindow: number | null): PromptEstimate;
  /** Whether each stream event with text is exactly one token, so that tokens need not be estimated by length. */
  readonly isTokenPerEvent: boolean;
}

/** How a kind makes the files of tasks. */
interface FileKind {
  createClient(server: ProviderServer, clock: Clock): MediaClient;
  /** Whether its images can be made from pictures. */
  readonly editsImages?: true;
  /** Checks an order before it is held. Absent for kinds that take every order. */
  findOrderFault?(
    server: Pick<ProviderServer, "taskApi">,
    order: Omit<MediaOrder, "model">,
  ): OrderFault | null;
}
