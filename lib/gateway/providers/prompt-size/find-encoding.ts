/** The tokenizers of OpenAI's models that the library has. */
export type Encoding = "o200k_base" | "cl100k_base";

const patterns: readonly (readonly [pattern: RegExp, encoding: Encoding])[] = [
  [/^(gpt-4o|gpt-4\.\d|gpt-[5-9]|chatgpt-|gpt-oss|codex-|o\d+(-|$))/, "o200k_base"],
  [/^(gpt-4(-|$)|gpt-3\.5|text-embedding-)/, "cl100k_base"],
];

/** The tokenizer of a model, by its name at the provider; null where it isn't known. */
export function findEncoding(model: string): Encoding | null {
  const name = model.toLowerCase().replace(/^ft:/, "").replace(/^.*\//, "");
  return patterns.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}
