interface Node {
  type: string;
  label?: string | null;
  value?: string;
  children?: Node[];
}

/**
 * A remark plugin that turns footnotes into plain text. Blocks are parsed separately, so a footnote whose reference is
 * in another block would otherwise vanish.
 */
export function keepFootnotes() {
  return (tree: Node): void => rewrite(tree);
}

function rewrite(node: Node): void {
  node.children = node.children?.flatMap((child) => {
    rewrite(child);
    if (child.type === "footnoteReference") return [text(`[^${child.label}]`)];
    if (child.type !== "footnoteDefinition") return [child];
    const [first, ...rest] = child.children ?? [];
    const mark = text(`[^${child.label}]: `);
    return first?.type === "paragraph"
      ? [{ ...first, children: [mark, ...(first.children ?? [])] }, ...rest]
      : [{ type: "paragraph", children: [mark] }, ...(child.children ?? [])];
  });
}

function text(value: string): Node {
  return { type: "text", value };
}
