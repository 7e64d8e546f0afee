/** Whether this is a code of JSON's white space (RFC 8259, section 2), which line ends of other texts are, too. */
export function isBlank(code: number | undefined): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
