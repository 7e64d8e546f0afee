/** Whether a character code is white space in JSON (RFC 8259, section 2), line ends included. */
export function isBlank(code: number | undefined): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
