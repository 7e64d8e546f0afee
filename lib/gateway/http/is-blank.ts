/** Whether a character code is JSON white space (RFC 8259, section 2), including line ends. */
export function isBlank(code: number | undefined): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
