/** The words of a question that say nothing about what is asked for. */
const FILLING = new Set(
  "a an and any anybody anyone are be can could do does everybody how i in is may of or role to the what which who whose with".split(
    " ",
  ),
);

/** What a question asks for: "rotate keys" of "who can rotate keys?". Of filling words alone, all of them. */
export function listAskedWords(search: string): string {
  const words = search
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "");
  const asked = words.filter((word) => !FILLING.has(word));
  return (asked.length > 0 ? asked : words).join(" ");
}
