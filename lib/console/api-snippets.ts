// Safe for the browser: no imports. The calls behind a form, as a program would make them.

/** A `curl` call with a JSON body. The key stands in the environment, as it should. */
export function curlSnippet(call: { url: string; body: object }): string {
  return [
    `curl -X POST ${quoteForShell(call.url)} \\`,
    `  -H "Authorization: Bearer $GATEHOUSE_ADMIN_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d ${quoteForShell(JSON.stringify(call.body, null, 2))}`,
  ].join("\n");
}

/** The same through the official SDK; `call` is what is awaited of `client`. */
export function sdkSnippet({ baseUrl, call }: { baseUrl: string; call: string }): string {
  return `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: ${JSON.stringify(baseUrl)},
  adminAPIKey: process.env.GATEHOUSE_ADMIN_KEY,
});

${call}`;
}

/** A call with its arguments one below the other, so that long ones stay in sight. */
export function callLiteral(callee: string, ...parameters: readonly unknown[]): string {
  const lines = parameters.map((value) => `${toLiteral(value).replace(/^/gm, "  ")},\n`);
  return `${callee}(\n${lines.join("")});`;
}

/** A value as people write it in JavaScript: JSON whose keys need no quotes. */
export function toLiteral(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/^(\s*)"([A-Za-z_]\w*)":/gm, "$1$2:");
}

/** Quotes any text as one word for a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
