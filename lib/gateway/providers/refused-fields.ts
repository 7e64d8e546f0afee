import {
  type OmittableField,
  type OutputLimitField,
  omittableFields,
  outputLimitFields,
  type ProviderProtocol,
} from "@/lib/contract/calls/provider-protocols";
import { Refusal } from "../refusal";

/** A field of the gateway that a provider refuses: a call is sent without it, or with the limit's other name. */
export type RefusedField = OmittableField | OutputLimitField | typeof SIGNATURE;

/** The signature that Gemini wants with calls, and its placeholder for calls of another service. */
const SIGNATURE = "thought_signature";

/** A provider's refusal of a field that the gateway added. The call can be repeated without it. */
export class FieldRefusal extends Refusal {
  constructor(
    { status, type, code, message, details }: Refusal,
    readonly field: RefusedField,
  ) {
    super(status, type, code, message, details);
  }
}

/** How servers say that they don't take a field. */
const UNKNOWN =
  /not (?:supported|permitted|allowed|recognized|known|accepted)|un(?:supported|known|recognized|expected)|deprecated|extra|forbidden|does(?:n't| not) support|invalid (?:argument|field|parameter|property)/i;
/** How they say that they don't take its value. */
const BAD_VALUE =
  /too (?:large|small|high|low|long|many)|at (?:most|least)|exceed|maximum|greater|less than/i;

/** Fields that a refusal need only name: an answer without them is as good. */
const alwaysLeftOut: readonly RefusedField[] = ["stream_options", "encoding_format", SIGNATURE];

/**
 * The field among those that were sent which a refusal names; null for none. Words about a value are no refusal of the
 * field: a server that ignores the limit's other name would answer without a limit.
 */
export function findNamedField(words: string, sent: readonly RefusedField[]): RefusedField | null {
  const isUnknown = UNKNOWN.test(words) && !BAD_VALUE.test(words);
  return sent.find((field) => isNamed(words, field) && (alwaysLeftOut.includes(field) || isUnknown)) ?? null;
}

function isNamed(words: string, field: RefusedField): boolean {
  if (field === "encoding_format" && /base64/i.test(words)) return true;
  return new RegExp(`(?<![\\w-])${field.replace("_", "[_ ]?")}(?![\\w-])`, "i").test(words);
}

/** The fields that a call is sent without, and the name of its output limit. */
interface SentFields {
  readonly outputLimitField: OutputLimitField;
  readonly leftOut: readonly OmittableField[];
  /** Whether calls that the server hasn't signed get the word that it takes in place of a signature. */
  readonly skipsSignatures: boolean;
}

/** The fields that one provider refuses: by its settings, and as calls of a model have shown since it was linked. */
export class RefusedFields {
  /** By the model's name at the provider, since models of one server differ. */
  readonly #found = new Map<string, ReadonlySet<RefusedField>>();
  readonly #usual: SentFields;

  constructor(
    private readonly configured: readonly OmittableField[],
    outputLimitField: OutputLimitField,
  ) {
    this.#usual = { outputLimitField, leftOut: configured, skipsSignatures: false };
  }

  /** A call of the model was answered after it was repeated without these. */
  note(model: string, fields: readonly RefusedField[]): void {
    this.#found.set(model, new Set([...(this.#found.get(model) ?? []), ...fields]));
  }

  list(): readonly RefusedField[] {
    return [...new Set([...this.#found.values()].flatMap((fields) => [...fields]))];
  }

  /**
   * How to send a call: without what the settings name, whoever wrote it, and what was refused of the gateway's.
   * @param added the fields that the gateway adds to it.
   * @param refused what the provider has refused in this call already.
   */
  chooseFields(
    model: string,
    added: readonly OmittableField[],
    refused: readonly RefusedField[],
  ): SentFields {
    const found = this.#found.get(model);
    if (!found && refused.length === 0) return this.#usual;
    const isRefused = (field: RefusedField) => found?.has(field) === true || refused.includes(field);
    const { outputLimitField: usual } = this.#usual;
    const other = outputLimitFields.find((field) => field !== usual) ?? usual;
    const others = added.filter((field) => !this.configured.includes(field) && isRefused(field));
    return {
      outputLimitField: isRefused(usual) ? other : usual,
      leftOut: [...this.configured, ...others],
      skipsSignatures: isRefused(SIGNATURE),
    };
  }
}

/** Fields that a translated chat may have, and that servers of messages refuse with some of their models. */
const sampling = ["temperature", "top_p", "top_k"] as const;
/** Fields that no translation brings. */
const clientsOwn: readonly OmittableField[] = ["encoding_format", "response_format", "long_user"];

/** How a call is written for its provider. */
interface WrittenCall {
  readonly endpoint: string;
  readonly stream: boolean;
  /** The protocol of the server that a call in the other one is translated to; null for one that is passed on. */
  readonly translatedTo: ProviderProtocol | null;
  /** Whether it is passed on in a protocol that isn't chat. */
  readonly isPassedOn: boolean;
  readonly isBase64: boolean;
}

/** The fields of a call that it can be sent without: those that the gateway adds, and the form of embeddings. */
export function listAddedFields(call: WrittenCall): readonly OmittableField[] {
  const { endpoint, stream, translatedTo, isPassedOn, isBase64 } = call;
  if (endpoint === "embeddings") return isBase64 ? ["encoding_format"] : [];
  if (endpoint !== "chat/completions" || isPassedOn) return [];
  if (translatedTo === "messages") return sampling;
  return omittableFields.filter((field) =>
    field === "stream_options" ? stream : translatedTo === "chat" && !clientsOwn.includes(field),
  );
}
