/** The sandbox's tokens: words, each with the space that follows it. Joined they give the text without leading space. */
export function splitWords(text: string): string[] {
  return text.match(/\S+\s*/g) ?? [];
}
