/**
 * What is wrong with a field, as a sentence. The contract's schemas say it as a predicate ("must not be empty"), which needs
 * the field's label before it; every other message is a sentence already.
 */
export function describeError(label: string, message: string | undefined): string | undefined {
  return message && /^(must|is|has|does) /.test(message) ? `${label} ${message}.` : message;
}
