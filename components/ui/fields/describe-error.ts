/**
 * Returns the error of a field as a sentence. The contract's schemas give predicates ("must not be empty"), which get
 * the field's label as their subject. Other messages are sentences already.
 */
export function describeError(label: string, message: string | undefined): string | undefined {
  return message && /^(must|is|has|does) /.test(message) ? `${label} ${message}.` : message;
}
