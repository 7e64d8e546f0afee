/** Returns `1 entry` or `1200 entries`. The plural ends in `s` unless it is given. */
export function counted(count: number | bigint, one: string, many = `${one}s`): string {
  return `${count} ${Number(count) === 1 ? one : many}`;
}
