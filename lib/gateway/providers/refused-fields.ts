import { type OmittableField, omittableFields } from "@/lib/contract/calls/omittable-fields";
import { type OutputLimitField, outputLimitFields } from "@/lib/contract/operations/models/providers";
import { Refusal } from "../refusal";

/** A field of the gateway that a provider refuses: a call is sent without it, or with the limit's other name. */
export type RefusedField = OmittableField | OutputLimitField;

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
  /not (?:supported|permitted|allowed|recognized|known|accepted)|un(?:supported|known|recognized|expected)|extra|forbidden|does(?:n't| not) support|invalid (?:argument|field|parameter|property)/i;
/** How they say that they don't take its value. */
const BAD_VALUE =
  /too (?:large|small|high|low|long|many)|at (?:most|least)|exceed|maximum|greater|less than/i;

/** Fields that a refusal need only name: an answer without them is as good. */
const alwaysLeftOut: readonly RefusedField[] = ["stream_options", "encoding_format"];

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

/** What a call is sent without, and under which name its output limit. */
interface SentFields {
  readonly outputLimitField: OutputLimitField;
  readonly leftOut: readonly OmittableField[];
}

/** The fields that one provider refuses: by its settings, and as calls have shown since its link was made. */
export class RefusedFields {
  readonly #found = new Set<RefusedField>();
  readonly #usual: SentFields;

  constructor(
    private readonly configured: readonly OmittableField[],
    outputLimitField: OutputLimitField,
  ) {
    this.#usual = { outputLimitField, leftOut: [] };
  }

  /** A call was answered after it was repeated without these. */
  note(fields: readonly RefusedField[]): void {
    for (const field of fields) this.#found.add(field);
  }

  list(): readonly RefusedField[] {
    return [...this.#found];
  }

  /**
   * How to send a call.
   * @param added the fields that the gateway adds to it.
   * @param refused what the provider has refused in this call already.
   */
  chooseFields(added: readonly OmittableField[], refused: readonly RefusedField[]): SentFields {
    if (this.configured.length + this.#found.size + refused.length === 0) return this.#usual;
    const isRefused = (field: RefusedField) => this.#found.has(field) || refused.includes(field);
    const { outputLimitField: usual } = this.#usual;
    const other = outputLimitFields.find((field) => field !== usual) ?? usual;
    return {
      outputLimitField: isRefused(usual) ? other : usual,
      leftOut: added.filter((field) => this.configured.includes(field) || isRefused(field)),
    };
  }
}

/** The fields of a call that it can be sent without: those that the gateway adds, and the form of embeddings. */
export function listAddedFields(
  endpoint: string,
  asked: { readonly stream: boolean; readonly isTranslated: boolean; readonly isBase64: boolean },
): readonly OmittableField[] {
  if (endpoint === "embeddings") return asked.isBase64 ? ["encoding_format"] : [];
  if (endpoint !== "chat/completions") return [];
  const { stream, isTranslated } = asked;
  return omittableFields.filter((field) =>
    field === "stream_options" ? stream : isTranslated && field !== "encoding_format",
  );
}
